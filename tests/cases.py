"""What every property runs on: losses, objectives, graphs, methods, and each way to a design, forced on a small case.

A new loss, objective, method or way is one line here. Designs at frozen seeds are those of benchmarks/strained.py, with
a list of objectives that they draw from: a line here does not change them.
"""

import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from pkgutil import resolve_name
from typing import Any

import cvxpy as cp
import networkx as nx
import numpy as np
import pytest

from mechdesign import (
    Convex,
    ExpectedLoss,
    LargestCost,
    MaxOffDiagonal,
    MutualInformation,
    WeightedOffDiagonal,
    WorstLoss,
    counting_graph,
    database_graph,
    profile_graph,
    read_graph,
    value_graph,
)
from mechdesign.arrays import Floats
from mechdesign.bench.families import graph_of_family
from mechdesign.graph.checks import checked
from mechdesign.objective import NAMED_LOSSES, Goal
from mechdesign.objective.loss import Priced
from mechdesign.program.program import Program
from mechdesign.solver.optimal_face import Face

ANYWHERE = [name for name, loss in NAMED_LOSSES.items() if not loss.checks_categories]
"""Named losses that go with any categories."""
PRICED = [name for name in ANYWHERE if isinstance(NAMED_LOSSES[name], Priced)]
"""Those of them that say exactly what a change costs."""
OF_DATABASES = [name for name in NAMED_LOSSES if name not in ANYWHERE]


def losses(categories: Sequence[Any]) -> dict[str, Any]:
    """Return the losses for these categories: by name, and tables with as many outputs, more and fewer."""
    random, d = np.random.default_rng(7), len(categories)
    square, wide = random.integers(0, 10, (d, d)), random.integers(0, 10, (d, d + 2))
    names = [*ANYWHERE, *(OF_DATABASES if isinstance(categories[0], tuple) else [])]
    return {name: name for name in names} | {"square": square, "wide": wide, "narrow": wide[:, :2]}


def objectives(categories: Sequence[Any]) -> dict[str, Goal]:
    """Return all objectives for these categories."""
    named = losses(categories)
    table = named["square"]
    alone: list[Goal] = [MaxOffDiagonal(), LargestCost(), WeightedOffDiagonal(table)]
    by_loss = {f"{kind.name} {loss}": kind(of) for kind in (ExpectedLoss, WorstLoss) for loss, of in named.items()}
    return {objective.name: objective for objective in alone} | by_loss


def modelled() -> dict[str, Goal]:
    """Return objectives that are written down in cvxpy: a sum, a maximum, squares, and the named one."""
    own: dict[str, Callable[[Any, nx.Graph], Any]] = {
        "sum": lambda matrices, _: sum(cp.sum(1 - cp.diag(A)) for A in matrices.values()),
        "largest": lambda matrices, _: cp.max(cp.hstack([1 - cp.min(cp.diag(A)) for A in matrices.values()])),
        "squares": lambda matrices, _: sum(cp.sum_squares(1 - cp.diag(A)) for A in matrices.values()),
    }
    return {name: Convex(build) for name, build in own.items()} | {"mutual information": MutualInformation("0.4")}


def mixed() -> nx.Graph:
    """Every edge asks for something else; two profiles are the same, one is sure, weights differ."""
    graph = profile_graph(
        {
            "a": ["0.2", "0.3", "0.5"],
            "b": ["0.2", "0.3", "0.5"],
            "c": [0, "0.25", "0.75"],
            "d": [1, 0, 0],
            "e": ["0.4", 0, "0.6"],
        },
        edges="all",
        categories=["x", "y", "z"],
        ordered=True,
        weights={"a": 1, "b": 2, "c": 3, "d": 1, "e": 4},
    )
    graph.edges["a", "c"]["epsilon"] = Fraction(1, 10)
    graph.edges["a", "d"]["delta"] = Fraction(1, 5)
    graph.edges["c", "e"]["distance"] = Fraction(2)
    graph.edges["b", "d"]["epsilon"] = Fraction(0)
    graph.edges["d", "e"]["epsilon"] = float("inf")
    return checked(graph)


CHAIN = checked(read_graph("categorical-chain"))
PROBLEMS: dict[str, tuple[nx.Graph, str, str]] = {
    "chain, delta": (CHAIN, "0.5", "0.02"),
    "chain, epsilon 0 but delta": (CHAIN, "0", "0.05"),
    "ring": (graph_of_family("ring", 6, 4, 1), "0.5", "0"),
    "a count": (counting_graph(4), "0.5", "0"),
    "points on a line": (value_graph(range(4), metric=lambda x, y: abs(x - y)), "0.7", "0.01"),
    "databases": (database_graph(["no", "yes"], 2), "1", "0.1"),
    "mixed": (mixed(), "0.4", "0"),
}
"""Graphs, epsilons and deltas."""

GRID = [
    (name, objective) for name, (graph, *_) in PROBLEMS.items() for objective in objectives(graph.graph["categories"])
]


def asked_in(problem: str, objective: str) -> tuple[nx.Graph, dict[str, Any]]:
    """Return a graph, and the arguments of `design`."""
    graph, epsilon, delta = PROBLEMS[problem]
    goal = objectives(graph.graph["categories"])[objective]
    return graph, {"epsilon": Fraction(epsilon), "delta": Fraction(delta), "objective": goal}


METHODS = ("highs", "reference")
"""Those that know of nothing but the table of a loss: each entry is a variable."""

WAYS = {
    "no noise needed": "chain 3x3 max-off-diagonal none 9 0",
    "cutting planes; nearest, held": "chain 5x4 max-off-diagonal none 0.5 0",
    "pairs that decide; nearest, held": "ring 20x5 max-off-diagonal none 0.5 0",
    "classes; whole program; nearest on the optimal face": "values 6 expected-loss hamming 0.5 0",
    "chains along the path; nearest on the optimal face": "counting 28 expected-loss absolute 0.5 0.01",
    "geometric mechanism": "counting 6 expected-loss absolute 0.5 0",
    "textbook program": "chain 4x3 expected-loss hamming 0.5 0 shared",
    "textbook program; nearest on the optimal face": "chain 4x3 max-off-diagonal none 0.5 0 shared",
    "cuts of worst distributions; nearest, held": "within 1/50 chain 3x3 max-off-diagonal none 0.5 0",
    "whole program; nearest on the optimal face": "ring 60x15 expected-loss hamming 0.5 0",
    "profiles that decide; nearest on the optimal face": "ring 60x10 worst-loss absolute 0.5 0",
    "pairs that decide; projection": "ring 400x20 max-off-diagonal none 0.5 0",
    "program by outputs": "points 28 1 1",
}
"""Each way, and a design that goes it."""

HIGHS = "import sys, highspy; h = highspy.Highs(); h.readModel(sys.argv[1]); h.run(); h.writeSolution(sys.argv[2], 0)"
COMMAND = f"{shlex.quote(sys.executable)} -c {shlex.quote(HIGHS)} {{mps}} {{solution}}"
OPTIONS: dict[str, tuple[str, dict[str, Any]]] = {
    "cutting planes; any optimum": ("chain 5x4 max-off-diagonal none 0.5 0", {"any_optimum": True}),
    "model in cvxpy; nearest, held": ("chain 5x4 max-off-diagonal none 0.5 0", {"method": "reference"}),
    "textbook program; nearest, held": ("chain 5x4 max-off-diagonal none 0.5 0", {"method": "highs"}),
    "command; nearest, held": ("chain 5x4 max-off-diagonal none 0.5 0", {"command": COMMAND}),
    "with detours; cutting planes; any optimum": ("points 12 1 2", {"detours": "1.3"}),
    "one bit cluster": ("chain 5x2 max-off-diagonal none 0.5 0", {"method": "one-bit-cluster"}),
}
"""Ways that are asked for."""


@dataclass(frozen=True)
class Forced:
    """A way that small designs would not go, the designs, and the constants with which they do."""

    way: str
    designs: list[str]
    constants: dict[str, Any] = field(default_factory=dict)
    apart: float = 3e-7
    """How far what is released may be from the usual: a thin face is not where an objective is held."""

    def force(self, patch: pytest.MonkeyPatch) -> None:
        for name, value in self.constants.items():
            module, _, constant = name.rpartition(".")
            patch.setattr(resolve_name(f"mechdesign.{module}"), constant, value)


def named(families: str, size: str, goals: Sequence[str], *rest: str, deltas: Sequence[str] = ("0",)) -> list[str]:
    """Return names of strained designs, at epsilon 0.5."""
    made = product(families.split(), goals, deltas)
    return [" ".join([family, size, goal, "0.5", delta, *rest]) for family, goal, delta in made]


def no_answer(*_: object) -> None:
    """Find nothing."""


def out_of_order(*_: object) -> str:
    """Fail as a solver does."""
    return "out of order"


def all_of(_: object, parts: Floats) -> list[int]:
    """Let everybody be named at once."""
    return [*range(len(parts))]


def no_face(program: Program, _: object) -> Face:
    """Take nothing to be the same in all optima."""
    return Face(program.lower > program.upper, program.floor > 0)


ENTRY = ["max-off-diagonal none"]
MEAN = ["expected-loss hamming", "expected-loss absolute", "expected-loss random"]
WORST = ["worst-loss hamming", "worst-loss absolute", "worst-loss random"]
BOTH = ("0", "0.02")
LARGE: dict[str, Any] = {
    f"solver.{module}.MANY_ROWS": -1 for module in ("large_loss", "canonical", "minimise", "optimal_face")
}
LARGE |= {"solver.large_loss._in_cliques": lambda _: False}
SMALL = {"solver.projection.LEAST_ENTRIES": 0, "solver.projection.LEAST_PROFILES": 1, "solver.decisive_pairs.EDGES": 1}
POINTS = {"solver.by_outputs.LEAST_ENTRIES": 0}
FAR_APART: dict[str, Any] = {"solver.large_loss._far_apart": lambda _: [0, 1]}
NEARLY = {f"solver.cutting_planes.{name}": of for name, of in (("MANY_ROWS", 0), ("FEW_NEW", 1.0))}
HELD, FACE = "nearest, held", "nearest on the optimal face"
CUTS = f"cutting planes; {HELD}"
OUTPUTS = f"program by outputs; {FACE}"

FORCED = {
    "projection": Forced(
        "pairs that decide; projection",
        named("ring random-chords complete tree", "11x5", ENTRY),
        SMALL,
    ),
    "projection that does not end": Forced(
        f"pairs that decide; {HELD}", named("ring", "11x5", ENTRY), SMALL | {"solver.projection.MOST_ROUNDS": 1}
    ),
    "projection of what many ask for": Forced(
        "pairs that decide; projection",
        ["random-chords 40x8 max-off-diagonal none 0.1 0"],
        SMALL | {"solver.projection.MOST_PULL": 1},
    ),
    "projection of large neighbourhoods": Forced(
        "pairs that decide; projection",
        ["random-chords 60x6 max-off-diagonal none 0.5 0"],
        SMALL | {"solver.projection.SHARE": 0.5, "solver.projection.CONJUGATE": 20},
    ),
    "one solver out of order": Forced(
        CUTS, named("ring", "8x4", MEAN[:1] + WORST[:1]), {"solver.minimise.CLARABEL": ("Clarabel", out_of_order)}
    ),
    "large": Forced(f"whole program; {FACE}", named("ring", "8x4", MEAN + WORST[2:], deltas=BOTH), LARGE),
    "large, decided by few": Forced(
        f"profiles that decide; {FACE}", named("ring", "60x4", [*WORST[:2], "worst-loss circular"], deltas=BOTH), LARGE
    ),
    "large, decided by others than seem to": Forced(
        f"profiles that decide; {FACE}", named("ring", "30x4", WORST[:2], deltas=BOTH), LARGE | FAR_APART
    ),
    "large, decided by many": Forced(
        f"whole program; {FACE}",
        named("ring", "30x4", WORST, deltas=BOTH),
        LARGE | FAR_APART | {"solver.large_loss._with_others": all_of},
    ),
    "large, on a mistaken face": Forced(
        f"whole program; {HELD}",
        named("ring", "8x4", MEAN[:1]),
        LARGE | {"solver.optimal_face.face_of": no_face},
        1e-5,
    ),
    "large, pairs that others nearly imply": Forced(f"whole program; {FACE}", ["points 12 1 1"], LARGE | NEARLY),
    "classes, most pairs required": Forced(
        f"classes; whole program; {FACE}",
        named("grid", "16x16", MEAN[:2] + WORST[:1]),
        {"solver.cutting_planes.MANY_ROWS": 0},
    ),
    "large, one matrix": Forced(
        f"textbook program; {FACE}",
        [
            *named("ring", "8x4", ENTRY, "shared"),
            *named("ring", "8x4", MEAN + WORST + ENTRY, "shared", deltas=BOTH[1:]),
        ],
        LARGE,
    ),
    "large, one matrix, one optimum": Forced("textbook program", named("ring", "8x4", MEAN + WORST, "shared"), LARGE),
    "many deltas": Forced(
        "pairs that decide; nearest within limits",
        named("ring sparse tree random-chords", "11x5", ENTRY, deltas=["0.02"]),
        {"solver.canonical.MANY_ROWS": -1},
    ),
    "many deltas of values": Forced(
        f"pairs that decide; {HELD}",
        named("counting", "17", ENTRY, deltas=["0.02"]),
        {"solver.canonical.MANY_ROWS": -1},
    ),
    "rows when needed": Forced(
        CUTS, named("ring clusters", "7x6", MEAN[1:] + WORST[1:] + ENTRY), {"solver.cutting_planes.MANY_ROWS": 0}
    ),
    "no pairs that decide": Forced(CUTS, named("ring", "14x5", ENTRY), {"designer.stages.solve_decisive": no_answer}),
    "by outputs": Forced("program by outputs", ["points 5 1 1", "points 9 2 0.5", "points 14 4 0.1"], POINTS),
    "by outputs, of which many sleep": Forced(
        "program by outputs", ["points 12 3 3"], POINTS | {"solver.output_blocks.LITTLE": 0.9}
    ),
    "by outputs, far below what doubles tell from 1": Forced(OUTPUTS, ["points 16 1 8"], POINTS),
    "by outputs, no vertex": Forced(
        OUTPUTS, ["points 9 1 1"], POINTS | {"solver.by_outputs.vertex_near": no_answer}, 1e-4
    ),
    "by outputs, no small program": Forced(
        OUTPUTS, ["points 9 1 1"], POINTS | {"solver.output_trees.by_simplex": lambda *_: "nothing is found"}, 1e-4
    ),
    "by outputs, given up": Forced(
        f"whole program; {FACE}", ["points 9 1 1"], POINTS | {"solver.output_blocks.MOST_STEPS": 3}
    ),
    "no geometric mechanism": Forced(
        CUTS,
        named("counting", "9", MEAN[:2] + WORST[:2]),
        {"designer.component.solve_path": no_answer},
    ),
}

NO_TABLES: dict[bytes, str] = {
    b"": "expected a header row, found an empty file",
    b"\xef\xbb\xbf": "expected a header row, found an empty file",
    b"\n\n": "expected a header row, found an empty file",
    b"\njob,use\na,b\n": "expected a header row, found a blank line; leave it out",
    b"  \njob,use\na,b\n": "expected a header row, found a blank line; leave it out",
    b"sep=;\njob;use\na;b\n": "expected a header row, found Excel's line sep=; leave it out",
    b"job,use,use,job\n": "column 'job': 2 columns have that name",
    b"job, use\na,b\n": "column 'use': there is none of that name (there are: job, ' use'); did you mean ' use'?",
    b"Job;Use\na;b\n": "column 'use': there is none of that name (there are: Job, Use); did you mean Use?",
    b"job,use\na\na,b\na,b,c\n": "line 2: expected 2 cells, as in the header, found 1",
    b"job,use\n\na,b\n  \n": "line 4: expected 2 cells, as in the header, found 1",
    b'job,use\n"a\na",b\na\n': "line 4: expected 2 cells, as in the header, found 1",
    b'job,use\na,"b': "not CSV at line 2: unexpected end of data; is a quote never closed?",
    b'job,use\na,"b"c\n': "not CSV at line 2: ',' expected after '\"'",
    b"job,use\na,\x00b\n": "line 2: expected text, found a NUL",
    b"job,use\na,b\nb,\xe9t\xe9\n": "line 3, byte 15 of the file (0xe9): not UTF-8; --encoding latin-1 (or cp1252)",
    b"job,use\na,\x00\xff\n": "expected text in UTF-8, found binary data (line 2, byte 12 of the file (0xff))",
    "job,use\na,b\n".encode("utf-16-le"): "line 1: expected text, found a NUL; if this is UTF-16 without",
    b'[{"job": "a", "use": "b"}]': "expected a table, found records in JSON; save them as CSV or Parquet",
    b"\x1f\x8b1": "expected a table, found a compressed file; unpack it",
    b"PK\x03\x041": "expected a table, found an Excel workbook or another archive; save the sheet as CSV",
}
"""Files in place of a CSV table with the columns job and use, and the first fault that every reader finds."""

TABLES: dict[bytes, dict[str, list[str]]] = {
    b"job,use\n1,2\n3,4\n": {"job": ["1", "3"], "use": ["2", "4"]},
    b"job;use\r\n1;2,5\r\n": {"job": ["1"], "use": ["2,5"]},
    b"job\tuse\r1\t2\r": {"job": ["1"], "use": ["2"]},
    b"\xef\xbb\xbfjob,use\n1,2": {"job": ["1"], "use": ["2"]},
    "job,use\nd\u00e9,2\n".encode("utf-16"): {"job": ["d\u00e9"], "use": ["2"]},
    b'job,use\n"1,\n1","say ""x"""\n': {"job": ["1,\n1"], "use": ['say "x"']},
    b"job,use\n\n1,\n\n\n": {"job": ["", "1"], "use": ["", ""]},
    b"job,use\r\n\r\n1,\r\n\r\n\r\n": {"job": ["", "1"], "use": ["", ""]},
    b'job,use\n"x\n\n",1\n\n2,3\n\n': {"job": ["x\n\n", "", "2"], "use": ["1", "", "3"]},
    b"use\n1\n\n3\n\n": {"use": ["1", "", "3"]},
    b",gr\xc3\xb6\xc3\x9fe\n0,klein\n": {"": ["0"], "gr\u00f6\u00dfe": ["klein"]},
    b"job,use\n": {"job": [], "use": []},
    b"job,use": {"job": [], "use": []},
}
"""CSV tables as they are met, and their columns, of which all cells are text."""
