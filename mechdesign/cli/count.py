"""`mechdesign count release | posterior | errors`."""

from dataclasses import asdict
from typing import Any

import click

from mechdesign.cli.count_release import release_command
from mechdesign.cli.names import OneOf
from mechdesign.cli.options import json_option
from mechdesign.cli.output import command_line, print_json, print_made, progress_bar
from mechdesign.cli.paths import PAGE, PICTURE, Command
from mechdesign.count.bayes import Posterior, posterior
from mechdesign.count.metrics import Errors, errors
from mechdesign.count.noise import Noise
from mechdesign.count.prior import Beta, law_of, prior_of
from mechdesign.count.ranges import expected_out_of_range
from mechdesign.errors import InputError
from mechdesign.exact.numbers import parse_epsilon, parse_number
from mechdesign.exact.text import shown, shown_epsilon
from mechdesign.show.terminal import console, table

BEST_FOR = {
    "naive": "the answer itself",
    "clipped": "the nearest in [0, n]",
    "mean": "of the posterior; least squared error",
    "median": "of the posterior; least absolute error",
    "constant": "n p, whatever the answer",
}


@click.group("count")
def count_group() -> None:
    """Release a noisy count, and estimate the true one.

    n records count with probability p each, independently; noise keeps the count epsilon-private. Where p is not known,
    give its beta distribution, --p beta:2,38. Any other prior of the count, a list of n + 1 masses, is for Python:
    mechdesign.count.posterior(15, n, masses, epsilon, noise="geometric").
    """


count_group.add_command(release_command)
_n = click.option("--n", "n", required=True, metavar="N", help="The number of records, at most 10^12.")
_n_for_errors = click.option(
    "--n",
    "n",
    required=True,
    metavar="N",
    help="The number of records: at most 10^9, and at most 10^11 / epsilon^2, which takes less than a minute.",
)
_p = click.option(
    "--p",
    "p",
    required=True,
    metavar="P|beta:A,B",
    help="The probability that a record counts; or, if unknown, its beta distribution: beta:2,38 has mean 0.05.",
)
_epsilon = click.option("--epsilon", required=True, metavar="E", help="Privacy parameter in nats, > 0.")
_noise = click.option(
    "--distribution",
    "noise",
    type=OneOf(Noise),
    default="laplace",
    show_default=True,
    help="Of the noise that is added to the true count.",
)


_report = click.option("--report", type=PAGE, metavar="FILE.html", help="Write it as one page, in plain words.")


@count_group.command("posterior", cls=Command)
@_n
@_p
@_epsilon
@_noise
@click.option("--answer", required=True, metavar="Y", help="The noisy count; write --answer=-3 if it is negative.")
@click.option("--level", default="0.95", show_default=True, metavar="L", help="Of the central interval.")
@click.option("--plot", type=PICTURE, metavar="FILE", help="Draw prior and posterior, as PNG, SVG or PDF.")
@_report
@json_option
def posterior_command(
    n: str,
    p: str,
    epsilon: str,
    noise: str,
    answer: str,
    level: str,
    plot: str | None,
    report: str | None,
    as_json: bool,
) -> None:
    """Estimate the true count from one noisy answer.

    \b
    mechdesign count posterior --n 100 --p 0.3 --epsilon 0.1 --answer=45.3
    """
    found = posterior(_double("answer", answer), _whole(n), p, epsilon, noise=noise)
    interval = found.interval(_double("level", level))
    outside = expected_out_of_range(_whole(n), p, epsilon, noise=noise)
    if plot is not None:
        from mechdesign.report.count_plots import plot_posterior  # matplotlib loads slowly
        from mechdesign.report.plots import save_figure

        save_figure(plot_posterior(found, _whole(n), p), plot)
    if report is not None:
        from mechdesign.report.page.of_count import Question, page_of_posterior  # the templates load slowly
        from mechdesign.show.render import write_page

        again = command_line(
            "count posterior", n=n, p=p, epsilon=epsilon, distribution=noise, answer=answer, level=level
        )
        question = Question(_whole(n), p, epsilon, noise, again)
        write_page(page_of_posterior(question, found, _double("level", level), outside), report)
    if as_json:
        print_json(
            {
                "mean": found.mean,
                "median": found.median,
                "mode": found.mode,
                "interval": list(interval),
                "level": _double("level", level),
                "deviation": found.deviation,
                "naive": found.answer,
                "out_of_range": outside,
            }
        )
    else:
        _print_posterior(found, interval, level, outside, _heading(n, p, epsilon, noise))
        print_made(plot, report)


def _print_posterior(found: Posterior, interval: tuple[int, int], level: str, outside: float, heading: str) -> None:
    out = console()
    out.print(heading)
    rows = table("", "estimate of the true count", "", "")
    rows.title, rows.columns[-1].justify = None, "left"
    rows.add_row("naive", _count(found.answer), BEST_FOR["naive"])
    rows.add_row("posterior mean", _count(found.mean), f"standard deviation {found.deviation:.6g}")
    rows.add_row("posterior median", str(found.median), "least absolute error")
    rows.add_row("mode", str(found.mode), f"probability {found.pmf(found.mode):.6g}")
    rows.add_row("central interval", f"{interval[0]} to {interval[1]}", f"level {level}")
    out.print(rows)
    out.print(f"Answers lie outside [0, n] with probability {outside:.6g}.")


@count_group.command("errors", cls=Command, short_help="Show how far each estimate is from the true count.")
@_n_for_errors
@_p
@_epsilon
@_noise
@click.option(
    "--plot",
    type=PICTURE,
    metavar="FILE",
    help="Draw the errors over epsilon, as PNG, SVG or PDF: 25 epsilons, which take as many times as long.",
)
@_report
@json_option
def errors_command(
    n: str,
    p: str,
    epsilon: str,
    noise: str,
    plot: str | None,
    report: str | None,
    as_json: bool,
) -> None:
    """Show how far each estimate is from the true count, down to what no private mechanism can beat.

    \b
    mechdesign count errors --n 100 --p 0.3 --epsilon 0.1
    """
    found = errors(_whole(n), p, epsilon, noise=noise)
    if plot is not None:
        from mechdesign.report.count_plots import plot_errors  # matplotlib loads slowly
        from mechdesign.report.plots import save_figure

        with progress_bar("epsilons") as progress:
            figure = plot_errors(_whole(n), p, float(parse_number(epsilon)), noise=noise, progress=progress)
        save_figure(figure, plot)
    if report is not None:
        from mechdesign.report.page.of_count import Question, page_of_errors  # the templates load slowly
        from mechdesign.show.render import write_page

        again = command_line("count errors", n=n, p=p, epsilon=epsilon, distribution=noise)
        write_page(page_of_errors(Question(_whole(n), p, epsilon, noise, again), found), report)
    if as_json:
        print_json(_plain(found))
    else:
        _print_errors(found, _heading(n, p, epsilon, noise))
        print_made(plot, report)


def _plain(found: Errors) -> dict[str, Any]:
    return asdict(found.absolute) | {
        "optimal": found.optimal,
        "probability_better": found.probability_better,
        "squared": asdict(found.squared),
    }


def _print_errors(found: Errors, heading: str) -> None:
    out = console()
    out.print(heading)
    rows = table("", "estimate", "mean absolute error", "mean squared error", "")
    rows.title, rows.columns[-1].justify = None, "left"
    squared = asdict(found.squared)
    for name, error in asdict(found.absolute).items():
        rows.add_row(name, f"{error:.9g}", f"{squared[name]:.9g}", BEST_FOR[name])
    rows.add_row("optimal", f"{found.optimal:.9g}", "", "no private mechanism does better")
    out.print(rows)
    out.print(f"The posterior mean is nearer than the answer with probability {found.probability_better:.9g}.")


def _count(estimate: float) -> str:
    """Return nine digits, and of a large count those up to hundredths."""
    return f"{estimate:.2f}" if 1e7 < abs(estimate) < 1e15 else f"{estimate:.9g}"


def _heading(n: str, p: str, epsilon: str, noise: str) -> str:
    law = law_of(p)
    given = p if not isinstance(law, Beta) else f"{p} (mean {prior_of(1, law).mean:.6g})"
    return f"n {n}, p {given}, epsilon {shown_epsilon(parse_epsilon(epsilon))}, {noise} noise"


def _whole(n: str) -> Any:
    """Return n as a number if it is one; what takes it says what is wrong with it."""
    try:
        number = parse_number(n)
    except InputError:
        return n
    return int(number) if number.denominator == 1 else n


def _double(name: str, text: str) -> float:
    try:
        return float(parse_number(text))
    except (InputError, OverflowError):
        raise InputError(f"{name}: expected a number, found {shown(text)}") from None
