"""`mechdesign count release`."""

from fractions import Fraction

import click

from mechdesign.cli.answering import AnsweringCommand
from mechdesign.cli.quantities import positive_epsilon_option
from mechdesign.count.noise import Noise
from mechdesign.count.noisy_count import release
from mechdesign.exact.numbers import parse_number
from mechdesign.exact.text import format_number
from mechdesign.show.answer import Answer, Fact, for_programs, sentences
from mechdesign.show.fact_numbers import Exact

UNDONE = "Seeded: not for release; whoever knows the seed can undo it."


@click.command("release", cls=AnsweringCommand, short_help="Release one noisy count.")
@click.option("--true-count", "count", required=True, metavar="A", help="The true count, in 0..N. It is not printed.")
@click.option("--n", "n", required=True, metavar="N", help="The number of records, at most 10^12.")
@positive_epsilon_option
@click.option("--seed-not-for-release", type=int, metavar="S", help="The same answer each time: for tests alone.")
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
