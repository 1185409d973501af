"""mechdesign: design, prove and certify least-distorting privacy mechanisms, in exact arithmetic.

A profile graph (`profile_graph`, `value_graph`, `counting_graph`, `database_graph`, `graph_from_table`, `read_graph`)
says who must not be told apart; `design` returns the best mechanism for it, `certify` judges any; `check_certificate`
checks a proof. `help(mechdesign.design)` and so on say more. A float given as an argument is the decimal that it prints
as: 0.7 is 7/10. Entries of matrices, tables and distributions are the doubles that they are. Tags in
brackets name the papers that results are from:

- [GC] Geumlek and Chaudhuri, Profile-based Privacy for Locally Private Computations, 2019, arXiv:1903.09084
- [HLM] Holohan, Leith and Mason, Differentially Private Response Mechanisms on Categorical Data, arXiv:1505.07254
- [ND] Naldi and D'Acquisto, Differential Privacy for Counting Queries: Can Bayes Estimation Help Uncover the True
  Value?, arXiv:1407.0116
- [SM] Sarathy and Muralidhar, Differential Privacy for Numeric Data, UNECE/Eurostat work session, Bilbao 2009

ERR-2.4 and the like number what in these papers needs mending; `mechdesign reproduce` computes their results anew and
says where they differ.
"""

from typing import TYPE_CHECKING

# Where each name is from. It is imported when it is first asked for, so that nobody waits for what they do not use.
_HOMES = {
    "Comparison": "certifier.comparison",
    "Composition": "release.composition",
    "Convex": "objective",
    "Design": "designer.result",
    "Estimate": "release.estimates",
    "Estimates": "release.estimates",
    "ExpectedLoss": "objective",
    "Formula": "formulas.formula",
    "InputError": "errors",
    "LargestCost": "objective",
    "MaxOffDiagonal": "objective",
    "Mechanism": "mechanism.mechanism",
    "MechdesignError": "errors",
    "Mended": "mender.mended",
    "MutualInformation": "objective",
    "Plan": "release.plan",
    "Price": "designer.edge_prices",
    "ProductSanitisation": "closed_form",
    "Rejected": "certificate.checker",
    "SmallestEpsilon": "designer.smallest_epsilon",
    "SolverError": "errors",
    "SuggestedNoise": "designer.suggested_noise",
    "Sweep": "designer.swept",
    "Verdict": "certifier.verdict",
    "WeightedOffDiagonal": "objective",
    "WorstLoss": "objective",
    "audit": "audit",
    "certify": "certifier.certify",
    "check_certificate": "certificate.check",
    "citation": "papers.citation",
    "coarsened": "graph.coarsening",
    "compare_with_optimal_product": "certifier.comparison",
    "compose": "release.composition",
    "count": "count",
    "counting_graph": "graph.values",
    "database_graph": "graph.databases",
    "delta_within_radius": "privacy.estimated",
    "design": "designer.design",
    "distances": "graph.places",
    "estimate": "release.estimating",
    "evidence": "certifier.evidence",
    "exponential_mechanism": "closed_form",
    "exponential_weight": "closed_form",
    "formula": "formulas.find",
    "graph_from_table": "graph.from_table",
    "graphs_from_table": "graph.from_table",
    "grid_graph": "graph.grids",
    "k_ary": "closed_form",
    "mechanism_from_matrix": "mechanism.from_matrix",
    "mend": "mender.mend",
    "optimal_product_sanitisation": "closed_form",
    "plan_rows": "release.plan",
    "plot_curve": "reports.privacy_plots",
    "plot_estimates": "reports.estimates_plot",
    "plot_formula": "reports.formula_plot",
    "plot_graph": "reports.graph_plot",
    "plot_matrices": "reports.plots",
    "plot_released": "reports.plots",
    "plot_tight_epsilons": "reports.privacy_plots",
    "plot_utility": "reports.plots",
    "point_graph": "graph.places",
    "privacy_curve": "certifier.curve",
    "private_exponential": "closed_form",
    "profile_graph": "graph.profile_graph",
    "read_graph": "graph.graph_file",
    "read_mechanism": "mechanism.mechanism_file",
    "report": "reports.report",
    "sanitise": "release.in_memory",
    "sanitise_batches": "release.batches",
    "sanitise_file": "release.in_files",
    "save_figure": "reports.figure",
    "scaled": "graph.own_epsilons",
    "shipped_graphs": "graph.shipped",
    "smallest_epsilon": "designer.smallest_epsilon",
    "suggest_noise": "designer.suggested_noise",
    "sweep": "designer.sweeper",
    "tight_epsilons": "certifier.tight",
    "two_profiles": "closed_form",
    "two_profiles_hamming": "closed_form",
    "value_graph": "graph.values",
    "write_certificate": "certificate.certificate_file",
    "write_graph": "graph.graph_file",
    "write_mechanism": "mechanism.mechanism_file",
}

if TYPE_CHECKING:
    from mechdesign import audit as audit
    from mechdesign import count as count
    from mechdesign.certificate.certificate_file import write_certificate as write_certificate
    from mechdesign.certificate.check import check_certificate as check_certificate
    from mechdesign.certificate.checker import Rejected as Rejected
    from mechdesign.certifier.certify import certify as certify
    from mechdesign.certifier.comparison import Comparison as Comparison
    from mechdesign.certifier.comparison import compare_with_optimal_product as compare_with_optimal_product
    from mechdesign.certifier.curve import privacy_curve as privacy_curve
    from mechdesign.certifier.evidence import evidence as evidence
    from mechdesign.certifier.tight import tight_epsilons as tight_epsilons
    from mechdesign.certifier.verdict import Verdict as Verdict
    from mechdesign.closed_form import ProductSanitisation as ProductSanitisation
    from mechdesign.closed_form import exponential_mechanism as exponential_mechanism
    from mechdesign.closed_form import exponential_weight as exponential_weight
    from mechdesign.closed_form import k_ary as k_ary
    from mechdesign.closed_form import optimal_product_sanitisation as optimal_product_sanitisation
    from mechdesign.closed_form import private_exponential as private_exponential
    from mechdesign.closed_form import two_profiles as two_profiles
    from mechdesign.closed_form import two_profiles_hamming as two_profiles_hamming
    from mechdesign.designer.design import design as design
    from mechdesign.designer.edge_prices import Price as Price
    from mechdesign.designer.result import Design as Design
    from mechdesign.designer.smallest_epsilon import SmallestEpsilon as SmallestEpsilon
    from mechdesign.designer.smallest_epsilon import smallest_epsilon as smallest_epsilon
    from mechdesign.designer.suggested_noise import SuggestedNoise as SuggestedNoise
    from mechdesign.designer.suggested_noise import suggest_noise as suggest_noise
    from mechdesign.designer.sweeper import sweep as sweep
    from mechdesign.designer.swept import Sweep as Sweep
    from mechdesign.errors import InputError as InputError
    from mechdesign.errors import MechdesignError as MechdesignError
    from mechdesign.errors import SolverError as SolverError
    from mechdesign.formulas.find import formula as formula
    from mechdesign.formulas.formula import Formula as Formula
    from mechdesign.graph.coarsening import coarsened as coarsened
    from mechdesign.graph.databases import database_graph as database_graph
    from mechdesign.graph.from_table import graph_from_table as graph_from_table
    from mechdesign.graph.from_table import graphs_from_table as graphs_from_table
    from mechdesign.graph.graph_file import read_graph as read_graph
    from mechdesign.graph.graph_file import write_graph as write_graph
    from mechdesign.graph.grids import grid_graph as grid_graph
    from mechdesign.graph.own_epsilons import scaled as scaled
    from mechdesign.graph.places import distances as distances
    from mechdesign.graph.places import point_graph as point_graph
    from mechdesign.graph.profile_graph import profile_graph as profile_graph
    from mechdesign.graph.shipped import shipped_graphs as shipped_graphs
    from mechdesign.graph.values import counting_graph as counting_graph
    from mechdesign.graph.values import value_graph as value_graph
    from mechdesign.mechanism.from_matrix import mechanism_from_matrix as mechanism_from_matrix
    from mechdesign.mechanism.mechanism import Mechanism as Mechanism
    from mechdesign.mechanism.mechanism_file import read_mechanism as read_mechanism
    from mechdesign.mechanism.mechanism_file import write_mechanism as write_mechanism
    from mechdesign.mender.mend import mend as mend
    from mechdesign.mender.mended import Mended as Mended
    from mechdesign.objective import Convex as Convex
    from mechdesign.objective import ExpectedLoss as ExpectedLoss
    from mechdesign.objective import LargestCost as LargestCost
    from mechdesign.objective import MaxOffDiagonal as MaxOffDiagonal
    from mechdesign.objective import MutualInformation as MutualInformation
    from mechdesign.objective import WeightedOffDiagonal as WeightedOffDiagonal
    from mechdesign.objective import WorstLoss as WorstLoss
    from mechdesign.papers.citation import citation as citation
    from mechdesign.privacy.estimated import delta_within_radius as delta_within_radius
    from mechdesign.release.batches import sanitise_batches as sanitise_batches
    from mechdesign.release.composition import Composition as Composition
    from mechdesign.release.composition import compose as compose
    from mechdesign.release.estimates import Estimate as Estimate
    from mechdesign.release.estimates import Estimates as Estimates
    from mechdesign.release.estimating import estimate as estimate
    from mechdesign.release.in_files import sanitise_file as sanitise_file
    from mechdesign.release.in_memory import sanitise as sanitise
    from mechdesign.release.plan import Plan as Plan
    from mechdesign.release.plan import plan_rows as plan_rows
    from mechdesign.reports.estimates_plot import plot_estimates as plot_estimates
    from mechdesign.reports.figure import save_figure as save_figure
    from mechdesign.reports.formula_plot import plot_formula as plot_formula
    from mechdesign.reports.graph_plot import plot_graph as plot_graph
    from mechdesign.reports.plots import plot_matrices as plot_matrices
    from mechdesign.reports.plots import plot_released as plot_released
    from mechdesign.reports.plots import plot_utility as plot_utility
    from mechdesign.reports.privacy_plots import plot_curve as plot_curve
    from mechdesign.reports.privacy_plots import plot_tight_epsilons as plot_tight_epsilons
    from mechdesign.reports.report import report as report

    __version__: str
else:

    def __getattr__(name):
        """Return one of these names; it is then kept."""
        if name == "__version__":
            from importlib.metadata import version

            return version("mechdesign")
        if name not in _HOMES:
            raise AttributeError(f"module 'mechdesign' has no attribute {name!r}")
        from importlib import import_module

        module = import_module(f"mechdesign.{_HOMES[name]}")
        globals()[name] = found = module if name == _HOMES[name] else getattr(module, name)
        return found


__all__ = sorted([*_HOMES, "__version__"])


def __dir__() -> list[str]:
    return __all__
