# What draws, and where it is from: for type checkers and editors, and for Python, which follows it here.

from mechdesign.reports.count_plots import plot_errors as plot_errors
from mechdesign.reports.count_plots import plot_posterior as plot_posterior
from mechdesign.reports.drawable import check_graph as check_graph
from mechdesign.reports.estimates_plot import plot_estimates as plot_estimates
from mechdesign.reports.figure import Figure as Figure
from mechdesign.reports.figure import check_ending as check_ending
from mechdesign.reports.figure import save_figure as save_figure
from mechdesign.reports.formula_plot import plot_formula as plot_formula
from mechdesign.reports.graph_plot import plot_graph as plot_graph
from mechdesign.reports.laplace_plot import plot_laws as plot_laws
from mechdesign.reports.plots import check_design as check_design
from mechdesign.reports.plots import plot_design as plot_design
from mechdesign.reports.plots import plot_heat as plot_heat
from mechdesign.reports.plots import plot_matrices as plot_matrices
from mechdesign.reports.plots import plot_released as plot_released
from mechdesign.reports.privacy_plots import plot_curve as plot_curve
from mechdesign.reports.privacy_plots import plot_tight_epsilons as plot_tight_epsilons
from mechdesign.reports.privacy_plots import plot_utility as plot_utility
from mechdesign.reports.scaling import plot_scaling as plot_scaling
