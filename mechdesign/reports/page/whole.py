"""The page of what the files told: the sheet that is signed, and an appendix for reviewers."""

from collections.abc import Iterator
from typing import Any

from mechdesign.exact.text import shown
from mechdesign.privacy.asked import Protected
from mechdesign.reports.page import cost, utility
from mechdesign.reports.page.before_and_after import observed, released
from mechdesign.reports.page.caveats import before_signing, bounds, caveats, other_files
from mechdesign.reports.page.matrices import matrices
from mechdesign.reports.page.page_inputs import Given
from mechdesign.reports.page.privacy import between_profiles, curve_of, curve_section
from mechdesign.reports.page.protected_pairs import pairs
from mechdesign.reports.page.sheet import about, checks, meaning, verdict
from mechdesign.reports.page.subject import Subject, of_mechanism
from mechdesign.show.answer import Answer, Column, for_programs
from mechdesign.show.answer import Table as AnswerTable
from mechdesign.show.blocks import Block, Commands, Page, Points, Section, Table, Text
from mechdesign.show.language import ENGLISH, Language

SEARCHED = 10
"""A page about more profiles can be searched by their names."""
LONGEST = 200
"""Characters of a note in a mechanism's file that are shown."""


def page_of(given: Given, say: Language = ENGLISH) -> Page:
    """Return the report of what the files told, in a language."""
    subject = given.subject
    own = (given.graph or {}).get("name")
    name = given.title or (own if isinstance(own, str) else "") or given.sources[0].name
    filtered = subject is not None and len(subject.whole.profiles) > SEARCHED
    sections = [section for section in _sheet(given, say) if section.blocks]
    return Page(say("page.title", name=name), "", sections, verdict(given, say), list(_appendix(given, say)), filtered)


def answer_of(given: Given, page: Page, say: Language = ENGLISH) -> Answer:
    """Return what is told of a report beside its page: the verdict, and what has to be known before it is signed."""
    verdict, subject = page.verdict, given.subject
    known = subject is not None and not subject.refuted
    whom = subject.protected.summary() if subject is not None and known else dict.fromkeys(Protected(0, 0).summary())
    sections = [section.title for section in (*page.sections, *page.appendix)]
    files = [[part.what, say(f"file.{part.what}"), part.name, part.sha256] for part in given.sources]
    columns = [Column("kind"), Column("", say("table.file")), Column("file", say("table.name")), Column("sha256")]
    return Answer(
        about=page.title,
        sentence="" if verdict is None else f"{verdict.word}: {verdict.words}",
        tone="" if verdict is None else verdict.tone,
        facts=for_programs({"sections": sections} | whom),
        tables=[AnswerTable("sources", " ", columns, files)],
        warnings=before_signing(given, say),
    )


def _sheet(given: Given, say: Language) -> Iterator[Section]:
    """Yield the parts of the sheet, in their order."""
    subject = given.subject
    yield about(given, say)
    if subject is not None:
        yield checks(given, subject, say)
        yield meaning(given, subject, say)
        if not subject.refuted and subject.observed is None:
            yield cost.in_short(subject, say)
            if (rows := cost.counts(subject, say)) is not None:
                yield rows
    if given.sweep is not None:
        yield utility.in_short(given.sweep, say)
    yield caveats(given, say)


def _appendix(given: Given, say: Language) -> Iterator[Section]:
    """Yield what is for reviewers."""
    if given.subject is not None:
        yield from _of_subject(given, given.subject, say)
    if given.sweep is not None:
        yield utility.section(given.sweep, say)
    privacy = given.privacy if given.privacy is not None or given.subject is None else curve_of(given.subject)
    if privacy is not None:
        yield curve_section(privacy, say)
    yield _check(given, say)
    yield Section(say("other.title"), [Points(other_files(given, privacy is not None, say))])


def _of_subject(given: Given, subject: Subject, say: Language) -> Iterator[Section]:
    if given.refuted is not None:
        yield given.refuted.section(say)
    elif subject.proved is None and given.notes:
        yield Section(say("notes.title"), [_notes(given.notes, say)])
    if subject.graph is not None and subject.graph.number_of_edges():
        yield pairs(subject, say)
    elif subject.judged is not None and (found := between_profiles(subject.judged, say)) is not None:
        yield found
    if subject.observed is not None:
        yield observed(subject.observed, say)
        return
    if within := bounds(subject, say):
        yield Section(say("bounds.title"), within)
    if subject.proved is not None and not subject.proved.claim.is_of_privacy_alone:
        yield cost.reviewed(subject, subject.proved.claim, say)
    if not subject.inputs_alone:
        yield released(subject, say)
    yield matrices(subject if subject.given is None else of_mechanism(subject.given), say)


def _notes(notes: Any, say: Language) -> Table:
    rows = [
        [str(key), value[:LONGEST] if isinstance(value, str) else shown(value, LONGEST)] for key, value in notes.items()
    ]
    return Table(say("notes.caption"), [say("table.what"), say("table.is")], rows)


def _check(given: Given, say: Language) -> Section:
    """Return the digests of the files, and the commands that compute all anew."""
    rows = [[say(f"file.{source.what}"), source.name, source.sha256] for source in given.sources]
    if given.digest is not None and given.digest not in {source.sha256 for source in given.sources}:
        rows.append([say("file.mechanism"), say("file.rewritten"), given.digest])
    headings = [say("table.file"), say("table.name"), "SHA-256"]
    blocks: list[Block] = [
        Text(say("again.words")),
        Table(say("again.digests"), headings, rows),
        Commands(given.commands),
    ]
    if given.proof is not None:
        blocks.append(Text(say("again.checker")))
    return Section(say("again.title"), blocks)
