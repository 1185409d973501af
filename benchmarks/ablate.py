"""What each way to repair and each constant is for: python benchmarks/ablate.py.

It designs a list of strained and ordinary problems, then does so again with one rung removed (a way to repair, to solve
or to leave something out) or one constant changed: ten times as large, or a tenth, if nothing else is said in
`CHANGED`. It prints a Markdown table of how many designs fail (none found, or a value above its bound by more than 2e-9
of it and 1e-12), for how many the canonical optimum is lost, how many release what is farther than 1e-6 from what they
release with nothing changed, the seconds of processor time, and which designs these are. Settings that change none of
this are named at the end, with their seconds.
"""

import argparse
import ast
import importlib
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import islice
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
from strained import strained

import mechdesign
from mechdesign.arrays import Floats
from mechdesign.exact.integers import shortest
from mechdesign.privacy.requirement import Requirement
from mechdesign.problem import Problem
from mechdesign.program.program import Program
from mechdesign.rounding.contraction import Contracted
from mechdesign.rounding.exact_rows import _found
from mechdesign.rounding.refinement import refined
from mechdesign.solution import Solution
from mechdesign.solver.minimise import (
    CLARABEL,
    CROSSOVER,
    INTERIOR,
    REGULAR,
    RESCALED,
    SIMPLEX,
    UNREFINED,
    Step,
    Wanted,
    _ladder,
)

ABSOLUTE, RELATIVE = Fraction(1, 10**12), Fraction(2, 10**9)
"""A value above its bound by more than both together is a failure; the second is a share of the bound."""

MOVED = 1e-6
"""A released probability this much farther from where it was has moved: the canonical optimum is unique."""

LIMIT = 120
"""Seconds of processor time after which a design is given up, and has failed."""

EXTREME = (
    12, 30, 49, 50, 58, 81, 87, 101, 107, 118, 141, 175, 198, 214, 258, 293, 310, 325, 350, 396, 479, 921, 962, 1241,
    1326, 1463, 1674, 1702, 2088, 2182, 2185, 2264, 2336, 2515, 2696, 3628, 3824,
)  # fmt: skip
"""Seeds of designs that once failed, or that do so without one of the rungs."""

DESIGNS = [
    *(f"extreme {seed}" for seed in EXTREME),
    *(f"various {seed}" for seed in (87, 1921, 4463)),
    "bell 12 0.5 30 max-off-diagonal none",
    "tiny-delta 6 3 1 1e-12 max-off-diagonal none",
    "tree 8 worst-loss random 2 0.01",
    "counting 8 worst-loss absolute 5 0 shared",
    "counting 12 worst-loss absolute 8 0 shared",
    "values 6 worst-loss absolute 1e-8 1e-12",
    "grid 9 expected-loss hamming 30 0",
    "chain 8 max-off-diagonal none 0.05 0",
    "scaled 8 max-off-diagonal none 0.5 0",
    "counting 8 expected-loss hamming 0.5 0",
    "counting 20 worst-loss absolute 0.5 0",
    "counting 40 worst-loss hamming 0.5 0",
    "clusters 8 expected-loss random 0.5 0.01",
]

LARGE = [
    "ring 50 max-off-diagonal none 0.5 0",
    "ring 40x20 max-off-diagonal none 0.5 0.05",
    "tree 60 expected-loss hamming 0.5 0",
    "ring 60x10 worst-loss absolute 0.5 0",
]
"""Designs large enough that rows are left out, for the numbers that decide when."""

Change = tuple[str, Any]
"""What is replaced, as "module:name" within mechdesign, and by what."""


def _unrefined(*_: Any, **__: Any) -> str:
    return "left out"


def _none(*_: Any, **__: Any) -> None:
    return None


def _as_asked(required: Sequence[Requirement]) -> Iterator[tuple[Requirement, ...]]:
    yield tuple(required)


def _corrected_at_once(problem: Problem, answer: Solution) -> Iterator[Any]:
    return islice(_found(problem, answer), 1, None)


def _each_alone(problem: Problem) -> Contracted:
    return Contracted(problem, problem, [[i] for i in range(len(problem.exact))])


def _uncorrected(program: Any, highs: Any, x: Floats, duals: Floats, times: float) -> tuple[Floats, Floats]:
    del program, highs, times
    return x, duals


def _but_where_all_move(*arguments: Any, margin: float, **options: Any) -> Any:
    return refined(*arguments, margin=margin, **options) if margin else "left out"


def _without(step: Step) -> Change:
    def ladder(program: Program, wanted: Wanted, accuracy: float) -> list[Step]:
        return [one for one in _ladder(program, wanted, accuracy) if one is not step or wanted is Wanted.VERTEX]

    return "solver.minimise:_ladder", ladder


RUNGS: dict[str, tuple[Change, ...]] = {
    "stricter requirements": (("rounding.exact_rows:stricter", _as_asked),),
    "rounding before refinement": (("rounding.exact_rows:_found", _corrected_at_once),),
    "refinement": (("rounding.exact_rows:refined", _unrefined),),
    "refinement where all move": (("rounding.exact_rows:refined", _but_where_all_move),),
    "contraction": (("rounding.contraction:contracted", _each_alone),),
    "plans by potentials": (("objective.capped_plans:balancing", lambda caps, surplus: caps * 0),),
    "short rows": (("rounding.realise:shortened", lambda weights: (shortest(weights), False)),),
    "pairs that decide": (("solver.decisive_pairs:EDGES", 10**9),),
    "projection of large graphs": (("solver.projection:LEAST_ENTRIES", 10**9),),
    "first rounds of the projection": (("solver.canonical:first_rounds", _none),),
    "projection of tall ones only": (("solver.projection:LEAST_PROFILES", 0),),
    "neighbourhoods settled alone": (("solver.projection:TRIES", 0),),
    "counts read best": (("solver.geometric_remap:solve_path", _none),),
    "counts projected by the reading's multipliers": (("designer.stages:vertex_of", _none),),
    "HiGHS' answers corrected": (("solver.vertices:_corrected", _uncorrected),),
    **{step[0]: (_without(step),) for step in (UNREFINED, CLARABEL, REGULAR, RESCALED, SIMPLEX, INTERIOR, CROSSOVER)},
    "cliques": (("privacy.cover:SMALLEST_CLIQUE", 10**9),),
    "implied pairs left out": (("privacy.cover:MOST_PROFILES_SEARCHED", 0),),
    "rows left out": (("solver.cutting_planes:MANY_ROWS", 10**9),),
    "losses with cliques by Clarabel": (("solver.large_loss:_in_cliques", _none),),
    "faces of all optima": (("solver.large_loss:solve_large_loss", _none),),
    "profiles that decide": (("solver.large_loss:_solve_decisive", _none),),
}
"""What is removed, one at a time, and some that stand in for each other together."""

TUNED = (
    "problem.py", "privacy/cover.py", "objective/capped_plans.py", "objective/transport_plans.py",
    "objective/reachability.py", "program/*.py", "solver/*.py", "rounding/*.py", "designer/component.py",
    "designer/stages.py",
)  # fmt: skip
"""The files whose numbers are changed, one at a time."""

UNTUNED = {
    "program.names", "solver.command", "solver.mps", "solver.modelled", "rounding.flip", "rounding.model_rows",
}  # fmt: skip
"""Other methods and models in cvxpy, which no design here is made by."""

CHANGED: dict[str, tuple[Any, ...]] = {
    "SMALLEST_CLIQUE": (2, 8),
    "MOST_PROFILES_SEARCHED": (),  # a rung above
    "ROUNDED_UP": (1.0, 1 + 1e-6),
    "LEAST_STEP": (0.0, 1e-12),
    "MOST_STEPS": (5,),
    "NOTHING": (1e-17, 1e-10),
    "CORRECTED": (1.0, 2.0),
    "ACCEPTED": (1.0, 20.0),
    "ROW_BITS": (52, 80),
    "BITS": (80, 320),
    "FAR_AWAY": (100_000, 100),
    "BALANCED": (1e-16, 1e-9),
    "DAMPING": (0.0, 1.0),
    "LEAST_DAMPING": (1e-15, 1e-6),
    "HALVINGS": (0,),
    "PLAN_TOLERANCE": (1e-7,),
    "MOST_ERROR": (1e-10, 1e-5),
    "MANY_ROWS": (0, 10**9),
    "HIGHS_TOLERANCE": (1e-7,),  # HiGHS allows no less than it has
    "FINEST": (1e-8,),
    "MAGNIFIED": (2.0**13, 2.0**21),
    "PIVOT_THRESHOLD": (0.1,),
    "VIOLATION": (1e-14, 1e-9),
}
"""What numbers are changed to: as good as nothing, or far off."""


@dataclass(frozen=True)
class Outcome:
    """What came of a design; no gap if there is none."""

    gap: Fraction | None
    value: Fraction = Fraction(0)
    canonical: bool = False
    released: Floats | None = None

    @property
    def failed(self) -> bool:
        return self.gap is None or self.gap > ABSOLUTE + RELATIVE * (self.value - self.gap)

    def moved_from(self, other: "Outcome") -> bool:
        """Return whether both are canonical and release what is not the same."""
        if self.released is None or other.released is None or not (self.canonical and other.canonical):
            return False
        return float(abs(self.released - other.released).max()) > MOVED


def constants() -> Iterator[tuple[str, Any]]:
    """Yield the numbers that `TUNED` modules name, as module:name and value."""
    home = Path(mechdesign.__path__[0])
    files = [path for pattern in TUNED for path in sorted(home.glob(pattern)) if path.stem != "__init__"]
    for path in files:
        name = ".".join(path.relative_to(home).with_suffix("").parts)
        if name in UNTUNED:
            continue
        module = importlib.import_module(f"mechdesign.{name}")
        tree = ast.parse(path.read_text(encoding="utf-8"))
        assigned = [target for node in tree.body if isinstance(node, ast.Assign) for target in node.targets]
        for target in (part for whole in assigned for part in ast.walk(whole) if isinstance(part, ast.Name)):
            value = getattr(module, target.id)
            if target.id.isupper() and isinstance(value, int | float | Fraction | tuple):
                yield f"{name}:{target.id}", value


def settings() -> dict[str, tuple[Change, ...]]:
    """Return every setting under its name, nothing changed first."""
    result: dict[str, tuple[Change, ...]] = {"nothing": ()}
    result |= {f"without {name}": changes for name, changes in RUNGS.items()}
    named = {where.partition(":")[2] for where, _ in constants()}
    assert CHANGED.keys() <= named, f"no such constants: {CHANGED.keys() - named}"
    for where, value in constants():
        name = where.partition(":")[2]
        for other in CHANGED[name] if name in CHANGED else _tenfold(value):
            result[f"{name} = {_short(other)}, not {_short(value)}"] = ((where, other),)
    return result


def _tenfold(value: Any) -> tuple[Any, ...]:
    """Return ten times a number, and a tenth of it."""
    if isinstance(value, tuple):
        return ()
    return value * 10, value // 10 if isinstance(value, int) else value / 10


def _short(value: Any) -> str:
    if isinstance(value, tuple):
        return "(" + ", ".join(map(_short, value)) + ")"
    return f"{float(value):.3g}" if abs(value - 1) > 1e-3 or value == 1 else f"1 + {float(value - 1):.1e}"


@contextmanager
def changed(changes: tuple[Change, ...]) -> Iterator[None]:
    """Put other things in place of some, in every module that has them under that name, and as default arguments."""
    undo: list[Callable[[], None]] = []
    loaded = [module for name, module in sorted(sys.modules.items()) if name.startswith("mechdesign.")]
    for where, other in changes:
        home, _, name = where.partition(":")
        old = getattr(importlib.import_module(f"mechdesign.{home}"), name)
        for module in loaded:
            if getattr(module, name, None) is old:
                undo.append(partial(setattr, module, name, old))
                setattr(module, name, other)
            if isinstance(old, float | tuple):
                undo += _defaults_changed(module, old, other)
    try:
        yield
    finally:
        for back in undo:
            back()


def _defaults_changed(module: ModuleType, old: Any, other: Any) -> Iterator[Callable[[], None]]:
    """Default arguments were bound when the functions were made."""
    for function in [one for one in vars(module).values() if isinstance(one, FunctionType)]:
        for kind in ("__defaults__", "__kwdefaults__"):
            values = getattr(function, kind)
            held = values.values() if isinstance(values, dict) else values or ()
            if any(value is old for value in held):
                new = [other if value is old else value for value in held]
                setattr(function, kind, dict(zip(values, new, strict=True)) if isinstance(values, dict) else tuple(new))
                yield partial(setattr, function, kind, values)


def give_up(*_: Any) -> None:
    raise TimeoutError


def outcome_of(name: str) -> Outcome:
    """Return what comes of a design; whatever goes wrong is a failure."""

    asked = strained(name)
    signal.signal(signal.SIGPROF, give_up)
    signal.setitimer(signal.ITIMER_PROF, LIMIT)
    try:
        made = asked.design()
        released = [[float(mass) for mass in one.fractions()] for one in made.mechanism.all_released()]
    except Exception:
        return Outcome(None)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return Outcome(made.value - made.bound, made.value, not made.stats["any_optimum"], np.array(released))


def outcomes_of(changes: tuple[Change, ...], designs: list[str]) -> tuple[list[Outcome], float]:
    """Return what comes of all designs under some changes, and the seconds that took."""
    start = time.process_time()
    with changed(changes):
        found = [outcome_of(name) for name in designs]
    return found, time.process_time() - start


def by_name(name: str, designs: list[str]) -> tuple[str, list[Outcome], float]:
    """Do so for a setting under its name, which can be sent to another process as functions cannot."""
    return name, *outcomes_of(settings()[name], designs)


def row(name: str, designs: list[str], found: list[Outcome], usual: list[Outcome], seconds: float) -> str:
    """Return a setting's row of the table."""
    both = list(zip(designs, found, usual, strict=True))
    failed = [design for design, one, before in both if one.failed and (found is usual or not before.failed)]
    lost = [design for design, one, before in both if before.canonical and not one.canonical and not one.failed]
    moved = [design for design, one, before in both if one.moved_from(before)]
    which = "; ".join(
        words + ", ".join(some) for words, some in (("", failed), ("lost: ", lost), ("moved: ", moved)) if some
    )
    return f"| {name} | {len(failed)} | {len(lost)} | {len(moved)} | {seconds:.1f} | {which} |"


def main() -> None:
    """Print the table, a row for each setting as it comes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="+", default=[""], metavar="TEXT", help="settings whose names contain a text")
    parser.add_argument("--designs", nargs="+", default=DESIGNS, metavar="NAME", help="see strained.py")
    parser.add_argument("--large", action="store_true", help="larger designs too, of a second each")
    parser.add_argument("--seeds", type=int, default=0, metavar="N", help="the first N seeds of the extreme kind too")
    parser.add_argument("--processes", type=int, default=1)
    given = parser.parse_args()
    designs = [*given.designs, *(f"extreme {seed}" for seed in range(given.seeds)), *(LARGE if given.large else [])]
    asked = [name for name in list(settings())[1:] if any(text in name for text in given.only)]
    print(f"{len(designs)} designs, {len(asked)} settings", file=sys.stderr)
    print("| changed | fail | lost | moved | seconds | which |\n|---|---|---|---|---|---|")
    _, usual, seconds = by_name("nothing", designs)
    print(row("nothing", designs, usual, usual, seconds), flush=True)
    quiet: list[str] = []
    with ProcessPoolExecutor(given.processes) as executor:
        for number, (name, found, seconds) in enumerate(executor.map(partial(by_name, designs=designs), asked), 1):
            line = row(name, designs, found, usual, seconds)
            if line.endswith("|  |"):
                quiet.append(f"{name} ({seconds:.1f} s)")
            else:
                print(line, flush=True)
            print(f"\r{number} of {len(asked)}", end="", file=sys.stderr, flush=True)
    print(f"\nNo design fails, is lost or moves with: {'; '.join(quiet)}.")


if __name__ == "__main__":
    main()
