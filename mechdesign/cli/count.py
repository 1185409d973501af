"""`mechdesign count release | posterior | errors`."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

from mechdesign import reports
from mechdesign.cli.answering import command, group
from mechdesign.cli.option_names import OneOf, option
from mechdesign.cli.options import DOUBLE, plot_option, positive_epsilon_option, report_option
from mechdesign.cli.output import progress_bar
from mechdesign.count.bayes import posterior
from mechdesign.count.metrics import errors
from mechdesign.count.noise import Noise
from mechdesign.count.noisy_count import expected_out_of_range, release
from mechdesign.count.prior import Beta, law_of, prior_of
from mechdesign.errors import InputError
from mechdesign.exact.numbers import parse_number
from mechdesign.exact.text import format_number, shown_epsilon
from mechdesign.show.answer import Answer, Fact, for_programs, sentences
from mechdesign.show.fact_numbers import Exact, six

UNDONE = "Seeded: not for release; whoever knows the seed can undo it."

SUPPOSED = sentences(
    "Each record is protected: no answer is more than e^epsilon times as likely with one that counts as with one that "
    "does not.",
    "This supposes that records count independently, all with one probability: the one given, or one drawn from the "
    "distribution given; and that one answer is released: each further one about the same records costs its epsilon "
    "again.",
)


@command("release", short_help="Release one noisy count.")
@option("--true-count A", "The true count, in 0..N. It is not printed.", name="count", required=True)
@option("--n N", "The number of records, at most 10^12.", required=True)
@positive_epsilon_option
@option("--seed-not-for-release S", "The same answer each time: for tests alone.", int)
def release_command(count: str, n: str, epsilon: Fraction, seed_not_for_release: int | None) -> Answer:
    """Release one noisy count: the true one plus two-sided geometric noise, drawn exactly.

    A record more or less, or changed, changes the count by 1 at most: so the answer is epsilon-private. It may lie
    outside 0..N, and is for the posterior as it is. Each answer about the same records costs its epsilon again.

    \b
    mechdesign count release --true-count 34 --n 100 --epsilon 0.1
    mechdesign count posterior --n 100 --p 0.3 --epsilon 0.1 --distribution geometric --answer=ANSWER
    """
    answer = release(count, n, epsilon, seed_not_for_release=seed_not_for_release)  # type: ignore[arg-type]
    size = Noise.GEOMETRIC.mean_size(float(epsilon))
    asked = f"--n {n} --p P --epsilon {format_number(epsilon)} --distribution geometric --answer={answer}"
    told = {"noise": "geometric", "mean_noise": size, "for_release": seed_not_for_release is None}
    return Answer(
        str(answer),
        facts=[
            *for_programs({"answer": answer, "n": int(parse_number(n))} | told),
            Fact("epsilon", number=Exact(epsilon), exact=True),
            *sentences(f"{format_number(epsilon)}-private: geometric noise of mean size {size:.6g}."),
            Fact(words="What it says of the true count", copied=f"mechdesign count posterior {asked}"),
        ],
        warnings=[] if seed_not_for_release is None else [UNDONE],
        is_drawn=True,
    )


@group("count")
def count_group() -> None:
    """Release a noisy count, and estimate the true one.

    n records count with probability p each, independently; noise keeps the count epsilon-private. Where p is not known,
    give its beta distribution, --p beta:2,38. Any other prior of the count, a list of n + 1 masses, is for Python:
    mechdesign.count.posterior(15, n, masses, epsilon, noise="geometric").
    """


count_group.add_command(release_command)

_n = option("--n N", "The number of records, at most 10^12.", required=True)

_n_for_errors = option(
    "--n N",
    "The number of records: at most 10^9, and at most 10^11 / epsilon^2, which takes less than a minute.",
    required=True,
)

_p = option(
    "--p P|beta:A,B",
    "The probability that a record counts; or, if unknown, its beta distribution: beta:2,38 has mean 0.05.",
    required=True,
)

_noise = option(
    "--distribution", "Of the noise that is added to the true count.", OneOf(Noise), name="noise", default="laplace"
)


@count_group.command("posterior")
@_n
@_p
@positive_epsilon_option
@_noise
@option("--answer Y", "The noisy count; if it is negative, write --answer=-3.", DOUBLE, required=True)
@option("--level L", "Of the central interval.", DOUBLE, default="0.95")
@plot_option(help="Draw prior and posterior, as PNG, SVG or PDF.")
@report_option
def posterior_command(
    n: str,
    p: str,
    epsilon: Fraction,
    noise: str,
    answer: float,
    level: float,
) -> Answer:
    """Estimate the true count from one noisy answer.

    \b
    mechdesign count posterior --n 100 --p 0.3 --epsilon 0.1 --answer=45.3
    """
    size = _whole(n)
    found = posterior(answer, size, p, epsilon, noise=noise)
    outside = six(expected_out_of_range(size, p, epsilon, noise=noise))
    rest = Answer(
        facts=[Fact("out_of_range", "probability of an answer outside [0, n]", outside), *SUPPOSED],
        figures={"The true count, before and after the answer": lambda: reports.plot_posterior(found, size, p)},
    )
    return replace(found.answer(level), about=_heading(n, p, epsilon, noise)).then(rest)


@count_group.command("errors", short_help="Show how far each estimate is from the true count.")
@_n_for_errors
@_p
@positive_epsilon_option
@_noise
@plot_option(help="Draw the errors over epsilon, as PNG, SVG or PDF: 25 epsilons, which take as many times as long.")
@report_option
def errors_command(
    n: str,
    p: str,
    epsilon: Fraction,
    noise: str,
) -> Answer:
    """Show how far each estimate is from the true count, down to what no private mechanism can beat.

    \b
    mechdesign count errors --n 100 --p 0.3 --epsilon 0.1
    """
    size = _whole(n)
    found = errors(size, p, epsilon, noise=noise).answer()
    rest = Answer(
        facts=SUPPOSED, figures={"Mean absolute errors over epsilon": lambda: _errors_drawn(size, p, epsilon, noise)}
    )
    return replace(found, about=_heading(n, p, epsilon, noise)).then(rest)


def _errors_drawn(n: int, p: str, epsilon: Fraction, noise: str) -> "reports.Figure":
    with progress_bar("epsilons") as progress:
        return reports.plot_errors(n, p, float(epsilon), noise=noise, progress=progress)


def _heading(n: str, p: str, epsilon: Fraction, noise: str) -> str:
    law = law_of(p)
    given = p if not isinstance(law, Beta) else f"{p} (mean {prior_of(1, law).mean:.6g})"
    return f"n {n}, p {given}, epsilon {shown_epsilon(epsilon)}, {noise} noise"


def _whole(n: str) -> Any:
    """Return n as a number if it is one; what takes it says what is wrong with it."""
    try:
        number = parse_number(n)
    except InputError:
        return n
    return int(number) if number.denominator == 1 else n
