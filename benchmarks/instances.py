"""A public set of instances: the families at a fixed seed as graph files and linear programs, with certified optima.

`python benchmarks/instances.py --folder FOLDER` writes those that are shipped. A folder of them holds, for each
instance NAME = FAMILY-PROFILESxCATEGORIES,

- `NAME.json`, the profile graph;
- `NAME-textbook.mps.gz`, the linear program in every transition probability (k d^2 unknowns; for single values d^2);
- `NAME-released.mps.gz`, the one in the released distributions alone (k d unknowns and what the objective needs), with
  the cuts that its optimum needs where the objective is the largest off-diagonal entry;

and `index.json`::

    {"format": "mechdesign-instances/1", "instances": [
      {"name": "ring-10x5", "family": "ring", "words": "a ring with chords ...", "seed": 1,
       "profiles": 10, "categories": 5, "edges": 20, "epsilon": "0.5", "delta": "0",
       "objective": "max-off-diagonal", "loss": null,
       "value": "p/q", "bound": "p/q", "optimum": [0.1234, 0.1234],
       "files": [{"file": "ring-10x5.json", "sha256": "..."},
                 {"file": "ring-10x5-textbook.mps.gz", "sha256": "...", "rows": 850, "columns": 251, "nonzeros": 5000},
                 ...]}, ...]}

Both programs minimise and have the same optimum, of which bound <= optimum <= value is proved; `optimum` is [bound,
value] in doubles, rounded outward. Coefficients in the MPS files have 15 digits, e^epsilon among them, so that what
solvers find agrees to about 1e-9. The same call writes the same bytes again.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from shared import asked, size_of

from mechdesign.bench.driver import runs_of
from mechdesign.bench.families import FAMILIES, graph_of_family
from mechdesign.bench.outcome import Run
from mechdesign.bench.task import Task
from mechdesign.designer.design import design
from mechdesign.exact.bounds import float_above, float_below
from mechdesign.exact.numbers import parse_number
from mechdesign.exact.text import format_number
from mechdesign.files.documents import write_json
from mechdesign.files.writing import check_folder, made_folder
from mechdesign.graph.graph_file import write_graph
from mechdesign.program.program import Program
from mechdesign.program.transport import transport_program
from mechdesign.solver.cutting_planes import solve_with_cuts
from mechdesign.solver.mps import write_mps

FORMAT = "mechdesign-instances/1"
SHIPPED = ("chain", "ring", "complete", "tree", "clusters", "counting", "grid", "local", "sparse", "scaled")
"""Families."""


def write_instances(
    folder: Path,
    families: Sequence[str],
    sizes: Sequence[tuple[int, int]],
    *,
    epsilon: str = "0.5",
    seed: int = 1,
) -> list[dict[str, Any]]:
    """Write the instances into a folder, which is made if it is not there; return the index' entries.

    Raises
    ------
    InputError
        if there is no such family, or the folder cannot be written.
    """
    runs = runs_of(families, sizes, ["structured"], epsilon=epsilon, seed=seed)
    check_folder(str(folder), "for the instances")
    made_folder(folder)
    entries = [_write_instance(folder, run) for run in runs]
    write_json({"format": FORMAT, "instances": entries}, folder / "index.json")
    return entries


def _write_instance(folder: Path, run: Run) -> dict[str, Any]:
    """Write one instance's files and return its entry in the index."""
    graph = graph_of_family(run.family, run.profiles, run.categories, run.seed)
    name = graph.graph["name"]
    objective = FAMILIES[run.family].objective(run.categories)
    task = Task(graph, objective, parse_number(run.epsilon))
    result = design(graph, epsilon=task.epsilon, objective=objective, method="structured")
    write_graph(graph, folder / f"{name}.json")
    textbook = _write_mps(transport_program(task.problem())[0], task, folder / f"{name}-textbook.mps.gz")
    apart = replace(task.problem(), shared=False)  # one distribution for each profile, values too
    released = _write_mps(solve_with_cuts(apart, None)[0], task, folder / f"{name}-released.mps.gz")
    table = objective.table(graph.graph["categories"])
    return {
        "name": name,
        "family": run.family,
        "words": FAMILIES[run.family].words,
        "seed": run.seed,
        "profiles": run.profiles,
        "categories": run.categories,
        "edges": graph.number_of_edges(),
        "epsilon": run.epsilon,
        "delta": "0",
        "objective": objective.name,
        "loss": [[format_number(entry) for entry in row] for row in table] or None,
        "value": str(result.value),
        "bound": str(result.bound),
        "optimum": [float_below(result.bound), float_above(result.value)],
        "files": [_described(folder / f"{name}.json"), textbook, released],
    }


def _write_mps(program: Program, task: Task, path: Path) -> dict[str, Any]:
    """Write a program as compressed MPS, its objective in the loss' own unit; return its description."""
    write_mps(program, path, scale=float(task.problem().loss_unit))
    rows, columns = program.matrix.shape
    return _described(path) | {"rows": rows, "columns": columns, "nonzeros": int(program.matrix.nnz)}


def _described(path: Path) -> dict[str, Any]:
    return {"file": path.name, "sha256": hashlib.sha256(path.read_bytes()).hexdigest()}


if __name__ == "__main__":
    given = asked(__doc__, folder="instances", families=SHIPPED, sizes=("10x5", "20x10"), epsilon="0.5", seed=1)
    sizes = [size_of(size) for size in given.sizes]
    written = write_instances(Path(given.folder), given.families, sizes, epsilon=given.epsilon, seed=given.seed)
    print(f"Written: {len(written)} instances and their index into {given.folder}.")
