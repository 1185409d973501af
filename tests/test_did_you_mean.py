"""Whoever misspells a name is told the nearest, in Python and on the command line."""

from collections.abc import Callable

import pytest
from command import refused

import mechdesign as md
from mechdesign.bench.families import family
from mechdesign.bench.methods import method

GRAPH = md.read_graph("categorical-chain")


@pytest.mark.parametrize(
    ("misspelt", "near"),
    [
        (lambda: md.read_graph("categorical-chian"), "categorical-chain"),
        (lambda: md.design(GRAPH, epsilon=1, method="hihgs"), "highs"),
        (lambda: md.ExpectedLoss("absolut"), "absolute"),
        (lambda: md.certify(md.mechanism_from_matrix([[1]]), epsilon=1, by="exaustive"), "exhaustive"),
        (lambda: md.audit.audit_query([1, 2, 3], "meen", epsilon=1), "mean"),
        (lambda: md.audit.best_on_grid("meen", n=3, bounds=(0, 1), epsilon=1, points=2), "mean"),
        (lambda: md.graph_from_table({"job": ["a"], "usage": ["b"]}, profile="jobb", value="usage"), "job"),
        (lambda: family("chian"), "chain"),
        (lambda: method("structurd"), "structured"),
    ],
)
def test_in_python(misspelt: Callable[[], object], near: str) -> None:
    with pytest.raises(md.InputError, match=rf"; did you mean {near}\?$"):
        misspelt()


@pytest.mark.parametrize(
    ("arguments", "near"),
    [
        (["design", "categorical-chian", "--epsilon", "1"], "categorical-chain"),
        (["design", "categorical-chain", "--epsilon", "1", "--objective", "wrost-loss"], "worst-loss"),
        (["design", "categorical-chain", "--epsilon", "1", "--objective", "worst", "--loss", "hamin"], "hamming"),
        (["graph", "from-table", "d.csv", "--profile", "a", "--value", "b", "--missing", "eror"], "error"),
        (["reproduce", "gc-figure1c"], "gc-figure-1c"),
    ],
)
def test_on_the_command_line(arguments: list[str], near: str) -> None:
    """A file, a choice of an option, a name that a command reads itself, a rule, a result."""
    assert refused(*arguments).endswith(f" Did you mean {near}?")
