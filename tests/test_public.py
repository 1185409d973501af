"""What `import mechdesign` offers: just these names, each with a help text; drawing is loaded when it is wanted."""

import ast
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import mechdesign as md

PUBLIC = [
    "Comparison",
    "Composition",
    "Convex",
    "Design",
    "Estimate",
    "Estimates",
    "ExpectedLoss",
    "Formula",
    "InputError",
    "LargestCost",
    "MaxOffDiagonal",
    "Mechanism",
    "MechdesignError",
    "Mended",
    "MutualInformation",
    "Plan",
    "Price",
    "ProductSanitisation",
    "Rejected",
    "SmallestEpsilon",
    "SolverError",
    "SuggestedNoise",
    "Sweep",
    "Verdict",
    "WeightedOffDiagonal",
    "WorstLoss",
    "__version__",
    "audit",
    "certify",
    "check_certificate",
    "citation",
    "coarsened",
    "compare_with_optimal_product",
    "compose",
    "count",
    "counting_graph",
    "database_graph",
    "delta_within_radius",
    "design",
    "distances",
    "epsilon_per_release",
    "estimate",
    "evidence",
    "exponential_mechanism",
    "exponential_weight",
    "formula",
    "graph_from_table",
    "graphs_from_table",
    "grid_graph",
    "k_ary",
    "mechanism_from_matrix",
    "mend",
    "optimal_product_sanitisation",
    "plan_rows",
    "plot_curve",
    "plot_estimates",
    "plot_formula",
    "plot_graph",
    "plot_matrices",
    "plot_released",
    "plot_tight_epsilons",
    "plot_utility",
    "point_graph",
    "privacy_curve",
    "private_exponential",
    "profile_graph",
    "read_graph",
    "read_mechanism",
    "report",
    "sanitise",
    "sanitise_batches",
    "sanitise_file",
    "save_figure",
    "scaled",
    "shipped_graphs",
    "smallest_epsilon",
    "suggest_noise",
    "sweep",
    "tight_epsilons",
    "two_profiles",
    "two_profiles_hamming",
    "value_graph",
    "write_certificate",
    "write_graph",
    "write_mechanism",
]


def test_the_public_names_are_these_and_no_others() -> None:
    assert sorted(dir(md)) == sorted(md.__all__) == sorted(PUBLIC)
    assert all(getattr(md, name).__doc__ for name in PUBLIC)


def test_a_name_stands_once_with_where_it_is_from() -> None:
    """In what type checkers read, by which Python loads it; in the order of its home, under its own name."""
    stub = Path(md.__file__).with_suffix(".pyi")
    imports = [node for node in ast.parse(stub.read_text(encoding="utf-8")).body if isinstance(node, ast.ImportFrom)]
    read = {one.asname: node.module for node in imports for one in node.names if one.name == one.asname}
    assert sorted([*read, "__version__"]) == sorted(PUBLIC)
    assert read == md._HOMES


def test_the_version_is_that_of_the_distribution() -> None:
    assert md.__version__ == version("mechdesign")


@pytest.mark.slow
def test_nothing_is_loaded_before_it_is_wanted(tmp_path: Path) -> None:
    """Not by a design, nor by the papers, which compute and draw when they are asked; then drawing is.

    A certifier needs scipy as little: it takes longer to load than a matrix to certify.
    """
    (tmp_path / "coin.csv").write_text("3/4,1/4\n1/4,3/4\n")
    program = (
        "import sys, mechdesign as md\n"
        "from mechdesign.cli.main import main\n"
        "assert main(['certify', 'coin.csv', '--by', 'lp', '--epsilon', '1.2', '--delta', '0.1']) == 0\n"
        "assert 'highspy' in sys.modules and 'scipy' not in sys.modules\n"
        "import mechdesign.papers\n"
        "md.design('bernoulli-couplet', epsilon=1, objective=md.LargestCost())\n"
        "md.Convex(print), md.MutualInformation(1), md.WeightedOffDiagonal()\n"
        "assert not {'cvxpy', 'jinja2', 'matplotlib', 'pandas'} & sys.modules.keys()\n"
        "md.plot_graph, sys.modules['matplotlib']"
    )
    subprocess.run([sys.executable, "-c", program], check=True, cwd=tmp_path, stdout=subprocess.DEVNULL)


def test_other_names_are_missing_as_in_any_module() -> None:
    with pytest.raises(AttributeError, match="module 'mechdesign' has no attribute 'desing'"):
        _ = md.desing  # type: ignore[attr-defined]


def test_the_help_of_the_package_says_what_its_tags_mean() -> None:
    assert not [tag for tag in ("[GC]", "[HLM]", "[ND]", "[SM]", "ERR-") if tag not in str(md.__doc__)]
