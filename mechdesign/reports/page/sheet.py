"""The sheet that is signed: the verdict, what it is about, a short list of yes and no, what it means for a person."""

from collections.abc import Iterator
from fractions import Fraction

from mechdesign.certificate.checked import Checked
from mechdesign.certificate.claim import Claim
from mechdesign.graph.from_table.confidence import noise_in
from mechdesign.graph.uncertainty import bounded, width
from mechdesign.reports.page.how_sure import ByDistance, Limit, limit_of, limits_of, through_others, with_counts
from mechdesign.reports.page.page_inputs import Given
from mechdesign.reports.page.subject import PAIRS, Subject
from mechdesign.reports.page.written_numbers import limit, needed, ratio, surest
from mechdesign.show.answer import Tone
from mechdesign.show.blocks import Block, Check, Checks, Particulars, Section, Text, Verdict
from mechdesign.show.fact_numbers import Down, Up
from mechdesign.show.language import Language

WEAK = 90
"""Per cent: a limit that leaves somebody as sure as this is called weak."""
NOTES = ("author", "controller", "date", "table", "source")
"""What the graph's notes may say, beside its name and purpose."""


def verdict(given: Given, say: Language) -> Verdict:
    """Return what the files come to."""
    subject = given.subject
    if subject is None:
        key = "graph" if given.sweep is None and given.privacy is None else "curves"
        return Verdict(say("verdict.none"), say(f"verdict.{key}"), "note")
    if given.refuted is not None:
        if given.refuted.within == "worst":
            return Verdict(say("verdict.unproved"), given.refuted.words(say), "note")
        return Verdict(say("verdict.failed"), given.refuted.words(say), "bad")
    if subject.proved is None:
        key = "without_proof" if subject.observed is None else "observed"
        return Verdict(say("verdict.unproved"), say(f"verdict.{key}"), "note")
    whom = subject.protected
    if not whom.asked:
        return Verdict(say("verdict.failed"), say("verdict.nobody"), "bad")
    words = [_promise(subject, subject.proved, say)]
    if (found := through_others(subject, whom)) is not None:
        key = "verdict.through_kept" if found.is_less else "verdict.through"
        words.append(say.count(key, whom.through, sure=found.kept, limit=found.asked))
    if whom.apart:
        words.append(say.count("verdict.apart", whom.apart))
    if (told := with_counts(given, subject, subject.proved, say)) is not None:
        words.append(told)
    word = "partly" if whom.apart else "passed"
    return Verdict(say(f"verdict.{word}"), " ".join(words), "note" if whom.apart else "good")


def _promise(subject: Subject, proved: Checked, say: Language) -> str:
    """Return what is proved, in a sentence with a number."""
    whom, kind = subject.protected, subject.kind
    if (by := ByDistance.of(subject)) is not None:
        kept = by.promise("promise.distance", say)
    else:
        found = limit_of(subject, proved)
        way = "guess" if proved.claim.delta else "sure"
        kept = say(f"promise.{way}.{kind}", sure=found.kept, limit=found.words(say))
    if whom.asked < whom.pairs:
        return say(f"verdict.some.{kind}", asked=whom.asked, pairs=whom.pairs, limit=kept)
    return say.count(f"verdict.all.{kind}", whom.pairs, profiles=len(proved.graph), limit=kept)


def about(given: Given, say: Language) -> Section:
    """Return what the sheet is about, as far as the files tell."""
    notes, manifest, subject = given.graph or {}, given.manifest or {}, given.subject
    items: list[tuple[str, object]] = [(say("about.purpose"), given.purpose or notes.get("purpose"))]
    if subject is not None:
        whole = subject.whole
        what, among = (subject.kind, whole.profiles) if subject.observed is None else ("observed", subject.observed)
        items.append((say(f"about.hidden.{what}"), say.few(list(among))))
        if whole.outputs != whole.profiles:
            items.append((say("about.outputs"), say.few(whole.outputs)))
    source = notes.get("source")
    if isinstance(source, str):
        notes = {**notes, "source": say.known("guarantee", source)}
    items += [(say(f"about.{name}"), notes.get(name)) for name in NOTES]
    if manifest:
        columns = manifest["columns"]
        items.append((say("about.rows"), say("about.left_out", rows=manifest["rows"], left=manifest["left_out"])))
        items.append((say("about.column"), columns["sanitised"]))
        items.append((say("about.kept"), list(columns["kept_as_they_are"]) or say("about.none")))
        items.append((say("about.made"), manifest["made"].partition("T")[0]))
    kept = [(what, say.shown(value)) for what, value in items if value and isinstance(value, str | list)]
    return Section(say("about.title"), [Particulars(kept)] if kept else [])


def checks(given: Given, subject: Subject, say: Language) -> Section:
    """Return the questions that are answered with yes or no."""
    found = [_check("pairs", *_pairs(given, subject, say), say, kind=subject.kind)]
    if subject.proved is not None:
        found.append(_check("exact", *_exact(subject, say), say, kind=subject.kind))
        found.append(_check("once", True, "note", say(f"check.once.{subject.kind}"), say))
    found.append(_check("proof", *_proof(given, say), say))
    found.append(_check("public", *_public(given, subject, say), say))
    return Section(say("check.title"), [Checks(found)])


def _check(name: str, answer: bool | str, tone: Tone, detail: str, say: Language, kind: str = "asked") -> Check:
    word = say.shown(answer) if isinstance(answer, bool) else say(f"word.{answer}")
    return Check(say(f"check.{name}.{kind}"), word, tone, detail)


def _pairs(given: Given, subject: Subject, say: Language) -> tuple[bool | str, Tone, str]:
    if given.refuted is not None:
        if given.refuted.within == "worst":
            return "open", "note", say("refuted.others.worst")
        return False, "bad", given.refuted.pair(say)
    whom = subject.protected
    if subject.proved is None:
        return "open", "note", " ".join([say("check.pairs.unproved"), *_told_apart(subject, say, asked=True)])
    if whom.asked == whom.pairs:
        return True, "good", say.count("check.pairs.all", whom.pairs)
    if subject.steps:
        return (
            True,
            "good",
            " ".join([say("check.pairs.next", asked=whom.asked), *_told_apart(subject, say, asked=False)]),
        )
    words = [say("check.pairs.some", asked=whom.asked, pairs=whom.pairs), *_told_apart(subject, say, asked=False)]
    return False, "note" if whom.asked else "bad", " ".join(words)


def _told_apart(subject: Subject, say: Language, *, asked: bool) -> Iterator[str]:
    """Yield how well those pairs can be told apart that nothing is promised of directly; or of those asked about."""
    pairs = subject.asked if asked else subject.others
    worst = subject.worst(pairs) if asked else subject.worst_others
    profiles = subject.whole.profiles
    names = [
        say("check.pairs.pair", names=[str(one) for one in profiles if one in pair], sure=surest(needed(upper)))
        for pair, upper in worst
    ]
    if names:
        key = "check.pairs.asked" if asked else "check.pairs.others"
        yield say(key, names="; ".join(names))
        if pairs.edges > PAIRS:
            yield say.count("check.pairs.less", pairs.edges - PAIRS)
    elif not asked:
        yield say("check.pairs.unmeasured")


def _exact(subject: Subject, say: Language) -> tuple[bool, Tone, str]:
    graph = subject.mechanism.graph
    if subject.values:
        return False, "good", say("check.exact.nothing")
    if (within := bounded(graph)) and (subject.proved is None or subject.proved.claim.robust):
        widest = Up(max(100 * width(graph.nodes[profile]) for profile in within), 2)
        return False, "good", say("check.exact.within", n=len(within), all=len(graph), widest=widest)
    return True, "note", say("check.exact.known")


def _proof(given: Given, say: Language) -> tuple[bool, Tone, str]:
    if given.proof is None:
        return False, "bad", say("check.proof.none")
    file = next(source.name for source in given.sources if source.what in ("certificate", "refutation"))
    corner = [say("check.proof.corner")] if given.refuted is not None and given.refuted.within else []
    return True, "good", " ".join([say("check.proof.checked", file=file), *corner])


def _public(given: Given, subject: Subject, say: Language) -> tuple[bool | str, Tone, str]:
    made = (given.graph or {}).get("made")
    if subject.values:
        return True, "good", say("check.public.values")
    if isinstance(made, dict) and made.get("public") is True:
        return True, "good", say("check.public.public")
    if isinstance(made, dict) and isinstance(noise := made.get("noise"), dict):
        counts = noise_in(made)
        told = str(noise.get("of_one_person")) if counts is None else limit(counts)
        return "depends", "note", say("check.public.noised", epsilon=told)
    return False, "note", say("check.public.secret")


def meaning(given: Given, subject: Subject, say: Language) -> Section:
    """Return what it means for one person."""
    title, kind = say("meaning.title"), subject.kind
    if given.refuted is not None:
        return Section(title, [Text(given.refuted.meaning(say))])
    proved = subject.proved
    if proved is None or not proved.claim.edges:
        return Section(title, [Text(say("meaning.unproved"))])
    found = limit_of(subject, proved)
    sure = found.kept
    least = Down(100 - Fraction(sure.words()), sure.places) if isinstance(sure, Up) else Down(100 - sure.value)
    words = say(f"meaning.sure.{kind}", sure=sure, least=least)
    if proved.claim.delta:
        share = limit(100 * proved.claim.delta)
        words = say(f"meaning.guess.{kind}", sure=sure, without=surest(found.epsilon), share=share)
    if found.is_less:
        words += " " + say("meaning.asked", limit=found.asked)
    blocks: list[Block] = [Text(words)]
    by = ByDistance.of(subject)
    if by is not None:
        blocks.append(Text(by.meaning(say)))
    elif sure.value >= WEAK:
        blocks.append(Text(say("meaning.weak", sure=sure), "note"))
    hidden = [say(f"meaning.hidden.{kind}")] if subject.observed is None else []
    blocks.append(Text(" ".join([*hidden, _for_specialists(proved.claim, found, say)])))
    return Section(title, blocks)


def _for_specialists(c: Claim, found: Limit, say: Language) -> str:
    strictest, _ = limits_of(c)
    several = say("meaning.several", weakest=found.asked, sure=strictest) if strictest.value < found.asked.value else ""
    key = "meaning.terms_of_delta" if c.delta else "meaning.terms"
    terms = say(key, epsilon=limit(c.epsilon), delta=limit(c.delta), ratio=ratio(c.epsilon))
    kept = say("meaning.kept", epsilon=limit(found.epsilon)) if found.is_less else ""
    return f"{several} {terms} {kept}".strip()
