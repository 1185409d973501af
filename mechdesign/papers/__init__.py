"""What the papers print, computed again: one file per table, figure or example.

Each file's `reproduce` returns a `Result`: what was computed beside what is printed or claimed, and in words
where a paper is wrong.
"""

from collections.abc import Callable
from types import MappingProxyType

from mechdesign.papers import (
    gc_bit_versus_categorical,
    gc_composition,
    gc_figure_1a,
    gc_figure_1b,
    gc_figure_1c,
    gc_observation_9,
    gc_optimum,
    gc_small_epsilon,
    gc_theorem_8,
    gc_uniqueness,
    hlm_example_2,
    hlm_examples_1_3,
    hlm_sufficient_sets,
    hlm_theorem_6,
    hlm_theorem_10,
    hlm_theorems_4_5,
    nd_figure_5,
    nd_figures_1_4,
    nd_figures_6_8,
    nd_floor,
    nd_prior,
    nd_theorem_1,
    sm_mending,
    sm_statistics,
    sm_table_2,
    sm_table_3,
    sm_table_4,
    sm_two_scales,
)
from mechdesign.papers.result import Claim as Claim
from mechdesign.papers.result import Result as Result

ERRATA = """\
ERR-x.y numbers errata of the papers and remarks on them: x is 0 for [ND], 2 for [HLM], 3 for [GC] and 4 for [SM]. \
Not all are errors: ERR-2.2 and ERR-2.3 are hypotheses that a theorem needs; ERR-3.3 and the indices of ERR-3.4 may \
be lost or misread in the text of the paper at hand."""
"""What the tags in words and notes mean."""

RESULTS: MappingProxyType[str, Callable[[], Result]] = MappingProxyType(
    {
        "gc-figure-1a": gc_figure_1a.reproduce,
        "gc-figure-1b": gc_figure_1b.reproduce,
        "gc-figure-1c": gc_figure_1c.reproduce,
        "gc-optimum": gc_optimum.reproduce,
        "gc-observation-9": gc_observation_9.reproduce,
        "gc-uniqueness": gc_uniqueness.reproduce,
        "gc-small-epsilon": gc_small_epsilon.reproduce,
        "gc-theorem-8": gc_theorem_8.reproduce,
        "gc-composition": gc_composition.reproduce,
        "gc-bit-versus-categorical": gc_bit_versus_categorical.reproduce,
        "hlm-examples-1-3": hlm_examples_1_3.reproduce,
        "hlm-example-2": hlm_example_2.reproduce,
        "hlm-sufficient-sets": hlm_sufficient_sets.reproduce,
        "hlm-theorems-4-5": hlm_theorems_4_5.reproduce,
        "hlm-theorem-6": hlm_theorem_6.reproduce,
        "hlm-theorem-10": hlm_theorem_10.reproduce,
        "nd-theorem-1": nd_theorem_1.reproduce,
        "nd-prior": nd_prior.reproduce,
        "nd-figures-1-4": nd_figures_1_4.reproduce,
        "nd-figure-5": nd_figure_5.reproduce,
        "nd-figures-6-8": nd_figures_6_8.reproduce,
        "nd-floor": nd_floor.reproduce,
        "sm-table-2": sm_table_2.reproduce,
        "sm-table-3": sm_table_3.reproduce,
        "sm-table-4": sm_table_4.reproduce,
        "sm-two-scales": sm_two_scales.reproduce,
        "sm-statistics": sm_statistics.reproduce,
        "sm-mending": sm_mending.reproduce,
    }
)
