"""Which sections a report has, by the files it is made from; and what none of these files tells."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mechdesign.certificate.checked import Checked
from mechdesign.certificate.claim import Kind
from mechdesign.exact.text import shown
from mechdesign.report.page import cost, utility
from mechdesign.report.page.before_and_after import released
from mechdesign.report.page.guarantee import assumptions, promise
from mechdesign.report.page.links import links
from mechdesign.report.page.matrices import matrices
from mechdesign.report.page.privacy import between_profiles, curve_of, curve_section
from mechdesign.report.page.privacy_curve import PrivacyCurve
from mechdesign.report.page.refuted import refuted
from mechdesign.report.page.subject import Subject, of_mechanism
from mechdesign.report.page.utility import Sweep
from mechdesign.show.blocks import Block, Commands, Page, Points, Section, Table, Text
from mechdesign.words import counted, listed

SEARCHED = 10
"""A page about more profiles can be searched by their names."""


LONGEST = 200
"""Characters of a note in a mechanism's file that are shown."""
UNPROVED = (
    "A mechanism says how values are changed before they are released. Its file does not prove whom that protects: a "
    "certificate does. "
)
CURVE = (
    "How private a mechanism is: for each epsilon, the least delta with which it is private. e^epsilon is the largest "
    "ratio between the probabilities of a released value under two linked profiles; delta is a probability with which "
    "more may be told."
)
CHECKER = (
    "checker.py comes with mechdesign (mechdesign/certificate/checker.py); it imports nothing but Python's standard "
    "library, so that nobody has to trust what made the certificate."
)


@dataclass(frozen=True)
class Source:
    """A file that a report was made from: what it is, its name, its SHA-256 digest."""

    what: str
    name: str
    sha256: str


@dataclass(frozen=True)
class Given:
    """What the files told.

    Attributes
    ----------
    subject
        the mechanism, with what is proved of it; None if there are only curves.
    proof
        those of a certificate or refutation.
    digest
        of the mechanism's file as it is first written; None if no mechanism was given.
    notes
        what a mechanism's file says of itself.
    read
        how a matrix was read, and what had to be normalised.
    privacy_held
        whether the privacy curve was computed anew, and is the mechanism's.
    """

    sources: Sequence[Source]
    subject: Subject | None = None
    proof: Checked | None = None
    digest: str | None = None
    notes: dict[str, Any] | None = None
    read: Sequence[str] = ()
    sweep: Sweep | None = None
    privacy: PrivacyCurve | None = None
    privacy_held: bool = False
    commands: Sequence[str] = ()


def page_of(given: Given) -> Page:
    """Return the report of what the files told."""
    sections = [_in_short(given)]
    subject = given.subject
    if subject is not None:
        sections += _about(subject, given)
    if given.sweep is not None:
        sections.append(utility.section(given.sweep))
    privacy = given.privacy if given.privacy is not None or subject is None else curve_of(subject)
    if privacy is not None:
        sections.append(curve_section(privacy))
    sections.append(Section("What is not known from this", [Points(unknown(given, privacy is not None))]))
    sections.append(_check(given))
    names = ", ".join(source.name for source in given.sources)
    title = "Privacy report: " + listed([source.what for source in given.sources])
    size = ""
    if subject is not None:
        whole = subject.whole
        d, m, k = len(whole.categories), len(whole.outputs), len(whole.profiles)
        size = f" {counted(k, 'profile')}, {counted(d, 'category')}, {counted(m, 'output')}."
    filtered = subject is not None and len(subject.whole.profiles) > SEARCHED
    return Page(title, f"Made from {names}.{size}", sections, filtered)


def _in_short(given: Given) -> Section:
    found = _verdict(given)
    read: list[Block] = [Text(" ".join(given.read), "note")] if given.read else []
    return Section(found.title, [*found.blocks[:1], *read, *found.blocks[1:]])


def _verdict(given: Given) -> Section:
    blocks: list[Block] = []
    if given.proof is not None and given.proof.claim.kind is Kind.REFUTATION:
        assert given.subject is not None
        return refuted(given.proof, given.subject)
    if given.subject is not None and (proved := given.subject.proved) is not None:
        blocks += promise(proved, values=given.subject.values)
        blocks += cost.in_short(given.subject, proved)
        blocks += cost.in_values(given.subject)
        blocks.append(
            Text("The certificate's proof was checked in exact arithmetic when this report was made, and accepted.")
        )
    elif given.subject is not None:
        blocks.append(Text(UNPROVED + _made_for(given.subject), "note"))
        blocks += cost.in_values(given.subject)
        if given.notes:
            blocks.append(_notes(given.notes))
    if given.sweep is not None:
        blocks += utility.in_short(given.sweep)
    elif given.privacy is not None and given.subject is None:
        blocks.append(Text(CURVE))
    return Section("In short", blocks)


def _made_for(subject: Subject) -> str:
    """Return which pairs of profiles a mechanism says that it is for, without proof."""
    if subject.asked.every_pair:
        return "The file names no links, so it is judged here by every pair of profiles."
    return f"The file says which profiles are linked: {subject.protected.words()}."


def _notes(notes: dict[str, Any]) -> Table:
    rows = [
        [str(key), value[:LONGEST] if isinstance(value, str) else shown(value, LONGEST)] for key, value in notes.items()
    ]
    return Table("What the file says of itself; it is no proof", ["what", "says"], rows)


def _about(subject: Subject, given: Given) -> list[Section]:
    sections = []
    refutation = given.proof is not None and given.proof.claim.kind is Kind.REFUTATION
    if not refutation:
        sections.append(assumptions(subject, given.notes or {}))
    if subject.graph is not None:
        sections.append(links(subject))
    elif (judged := _judged(subject)) is not None and (found := between_profiles(judged)) is not None:
        sections.append(found)
    if subject.proved is not None and subject.proved.distortion:
        sections.append(cost.cost(subject))
    if not subject.inputs_alone:
        sections.append(released(subject))
    sections.append(matrices(subject if subject.given is None else of_mechanism(subject.given)))
    return sections


def _judged(subject: Subject) -> Subject | None:
    """Return what can be said of all profiles, without a graph: of a refuted mechanism only if these are values."""
    if not subject.refuted:
        return subject
    if subject.given is None or not subject.values:
        return None
    return of_mechanism(subject.given, all_pairs=subject.all_pairs)


def unknown(given: Given, curve: bool) -> list[str]:
    """Return what the files do not tell, and which other file would; give it too, and the report says it."""
    kinds = {source.what for source in given.sources}
    subject, items = given.subject, []
    if subject is None:
        items.append("How values are changed, and what each profile releases: the mechanism's file tells (design -o).")
        items.append("Which profiles are linked, and the proof: the certificate tells (design --certificate).")
    elif given.proof is None:
        items.append(
            "Which profiles are protected from being told apart, and at which epsilon and delta: the certificate "
            "tells (design --certificate, certify --certificate)."
        )
        items.append("What it costs, and how close that is to the least possible: the certificate tells too.")
    elif given.proof.claim.kind is Kind.REFUTATION:
        if "mechanism" not in kinds:
            items.append("What the other profiles release: the mechanism's file tells.")
        if _judged(subject) is None:
            items.append("Whether other links fail too: mechdesign certify --all lists them.")
        items.append("Which mechanism next to this one is private, and how far off: mechdesign mend finds it.")
    elif not subject.proved or not subject.proved.distortion:
        items.append("What it costs: this certificate proves privacy alone; design --json says it.")
    if subject is not None and subject.proved is not None and not subject.values:
        items.append(
            "Where the profiles' distributions are from, and whether that may be known: the graph's file may tell "
            "(mechdesign graph show). If they are the frequencies of secret records, keep this page and its files to "
            "yourself, for they have them."
        )
    if subject is not None and given.proof is not None and "mechanism" not in kinds:
        items.append(
            "The digest of the mechanism's file, and how values are reported that a profile never has: the "
            "mechanism's file tells."
        )
    if given.sweep is None and subject is not None and subject.mended:
        items.append("What another epsilon would cost: mechdesign mend with that epsilon tells.")
    elif given.sweep is None and (subject is None or not subject.refuted):
        items.append("What another epsilon would cost: a curve of designs tells (design --epsilon 0.1:2:20 --curve).")
    if not curve:
        items.append("The privacy curve, the least delta at each epsilon: certify --curve writes it.")
    if given.privacy is not None and not given.privacy_held:
        items.append(
            "Whether the privacy curve is of this mechanism: its file only says so; certify --curve computes it anew."
        )
    if given.sweep is not None:
        items.append(
            "Whether the curve of designs is true, and of the graph that you mean: its file only says so, and names "
            "the graph by a digest; design --curve computes both."
        )
    items.append(
        "Whether released data came from this mechanism: the manifest beside them (sanitise) has the digest to compare."
    )
    return items


def _check(given: Given) -> Section:
    rows = [[source.what, source.name, source.sha256] for source in given.sources]
    if given.digest is not None and given.digest not in {source.sha256 for source in given.sources}:
        rows.append(["mechanism", "as mechdesign writes it", given.digest])
    blocks: list[Block] = [
        Text(
            "Everything above follows from these files, which name themselves by their SHA-256 digests; the commands "
            "compute them anew."
        ),
        Table("SHA-256 digests", ["file", "name", "SHA-256"], rows),
        Commands(given.commands),
    ]
    if given.proof is not None:
        blocks.append(Text(CHECKER))
    return Section("How to check it oneself", blocks)
