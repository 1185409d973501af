"""The reports of a noisy count: what one answer tells of the true count, and how far each estimate is from it."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction

from mechdesign.count.bayes import Posterior
from mechdesign.count.laws import masses_of
from mechdesign.count.metrics import Errors
from mechdesign.count.prior import Beta, law_of, prior_of
from mechdesign.exact.numbers import parse_epsilon
from mechdesign.exact.text import short
from mechdesign.report.page.bars import bars
from mechdesign.report.page.lines import Curve, Mark, chart
from mechdesign.report.page.numbers import allowed, belief, ratio
from mechdesign.show.blocks import Commands, Page, Points, Section, Table, Text

POINTS = 200
"""Of a law of counts so many are drawn, and a fifth of them listed, at most."""
ESTIMATES = {
    "naive": "naive: the answer itself",
    "clipped": "clipped: the nearest in [0, n]",
    "mean": "posterior mean: least squared error",
    "median": "posterior median: least absolute error",
    "constant": "constant: n p, whatever the answer",
}
ROUNDED = "Numbers are computed in doubles and rounded to nine digits."


@dataclass(frozen=True)
class Question:
    """A noisy count: n records, each counting with probability p; the noise, its epsilon, and the command."""

    n: int
    p: str
    epsilon: str
    noise: str
    command: str

    @property
    def about(self) -> str:
        """Return it in a sentence."""
        noise = f"{self.noise} noise at epsilon {allowed(parse_epsilon(self.epsilon))}"
        if self.p_is_known:
            return f"{self.n} records that count with probability {self.p} each; {noise}."
        return f"{self.n} records that count with a probability that is not known, with the law {self.p}; {noise}."

    @property
    def p_is_known(self) -> bool:
        """Return whether p is a number, not a law."""
        return not isinstance(law_of(self.p), Beta)

    def promise(self) -> Points:
        """Return what epsilon protects here, and what that rests on."""
        epsilon = Fraction(parse_epsilon(self.epsilon))
        given = "the probability given" if self.p_is_known else "one probability for all, of which the law is given"
        return Points([
            f"Protected: each single record. No noisy answer is more than e^epsilon = {ratio(epsilon)} times (rounded "
            f"up) as likely with "
            "a record that counts as with one that does not.",
            f"Somebody who took the two for equally likely is, after the answer, sure of neither by more than "
            f"{belief(epsilon)} % (rounded up).",
            f"It rests on this: the records count independently, with {given}; one answer is given, and "
            "each further one "
            "about the same records costs its epsilon again.",
        ])  # fmt: skip


def page_of_posterior(question: Question, found: Posterior, level: float, outside: float) -> Page:
    """Return what one noisy answer tells of the true count."""
    low, high = found.interval(level)
    words = (
        f"After the noisy answer {short(found.answer, 9)} the true count lies from {low} to {high} with probability "
        f"{level:g} at least; "
        f"its mean is {short(found.mean, 9)}, with standard deviation {short(found.deviation)}."
    )
    rows = [
        ["naive: the answer itself", short(found.answer, 9)],
        ["posterior mean: least squared error", short(found.mean, 9)],
        ["posterior median: least absolute error", str(found.median)],
        ["mode: the most probable count", str(found.mode)],
        [f"central interval, level {level:g}", f"{low} to {high}"],
        ["standard deviation", short(found.deviation, 9)],
        ["probability of an answer outside [0, n]", short(outside, 9)],
    ]
    estimates = Section("Estimates", [Table("Estimates of the true count", ["estimate", "is"], rows, note=ROUNDED)])
    unknown = Section("What is not known from this", [Points([
        "The true count itself: whoever made the answer knows it, and does not say.",
        "How far such estimates are from the truth on average: mechdesign count errors --report tells.",
        "Whether the probability given is right; if it is not, neither are the estimates, but the promise of privacy "
        "holds.",
    ])])  # fmt: skip
    sections = [
        Section("In short", [Text(words, "good"), question.promise()]),
        estimates,
        _laws(question, found),
        unknown,
    ]
    return Page("What a noisy count tells", question.about, [*sections, _check(question)])


def _laws(question: Question, found: Posterior) -> Section:
    prior = prior_of(question.n, question.p)
    x, logs = prior.window(*prior.reach(0), 0)
    before = dict(zip(x.astype(int).tolist(), masses_of(logs).tolist(), strict=True))
    after = dict(zip(found.x.astype(int).tolist(), found.masses.tolist(), strict=True))
    most = max(before.values()), max(after.values())
    seen = [k for k, mass in before.items() if mass > 1e-4 * most[0]] + [
        k for k, mass in after.items() if mass > 1e-4 * most[1]
    ]
    low, high = min(seen), max(seen)
    step = max(1, (high - low) // POINTS)
    counts = list(range(low, high + 1, step))
    curves = [
        Curve(
            style,
            words,
            [(k, law.get(k, 0.0), f"{k}: {short(law.get(k, 0.0))} {words}") for k in counts],
            len(counts) <= 80,
        )
        for words, style, law in (("before the answer", "other", before), ("after the answer", "first", after))
    ]
    rows = [[str(k), short(before.get(k, 0.0)), short(after.get(k, 0.0))] for k in counts[:: max(1, len(counts) // 40)]]
    table = Table("Probabilities of the true count", ["true count", "before", "after"], rows, folded=True)
    marks = [Mark(found.mean, f"posterior mean {short(found.mean)}")]
    if low <= found.answer <= high:
        marks.append(Mark(found.answer, f"noisy answer {short(found.answer)}", 0.0))
    title = "The true count, before and after the answer"
    return Section(
        "Before and after", [chart(title, ("true count", "probability"), curves, table, marks, from_zero=False)]
    )


def page_of_errors(question: Question, found: Errors) -> Page:
    """Return how far each estimate is from the true count, on average."""
    absolute, squared = asdict(found.absolute), asdict(found.squared)
    best = min((name for name in absolute if name != "constant"), key=absolute.__getitem__)
    words = (
        f"On average the answer itself is {short(absolute['naive'])} from the true count, the posterior median "
        f"{short(absolute['median'])}. "
        f"No private mechanism of this epsilon, with any estimate, gets below {short(found.optimal)}."
    )
    rows = [[ESTIMATES[name], short(error, 9), short(squared[name], 9)] for name, error in absolute.items()]
    rows.append(["optimal: no private mechanism does better", short(found.optimal, 9), ""])
    table = Table(
        "Mean errors of each estimate", ["estimate", "mean absolute error", "mean squared error"], rows, note=ROUNDED
    )
    names = [*absolute, "optimal"]
    errors = [Fraction(error) for error in (*absolute.values(), found.optimal)]
    picture = bars("Mean absolute errors", names, None, errors, max(errors) or Fraction(1), table)
    share = short(found.probability_better, 9)
    better = f"The posterior mean is nearer to the true count than the answer with probability {share}."
    unknown = Section("What is not known from this", [Points([
        "What one answer tells: mechdesign count posterior --report says it.",
        "How the errors change with epsilon: mechdesign count errors --plot draws it.",
    ])])  # fmt: skip
    sections = [
        Section("In short", [Text(words, "good"), question.promise()]),
        Section(
            "Errors", [picture, Text(better), Text(f"Of these estimates the {best} has the least mean absolute error.")]
        ),
        unknown,
    ]
    return Page("How far a noisy count is from the true one", question.about, [*sections, _check(question)])


def _check(question: Question) -> Section:
    commands: Sequence[str] = [question.command]
    return Section(
        "How to check it oneself", [Text("This command computes everything above anew:"), Commands(commands)]
    )
