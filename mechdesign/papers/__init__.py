"""What the papers print, computed again: modules, a table of printed digits and a page of words for each paper.

A result's function yields rows, what is computed; `RESULTS` joins them with what is printed, claimed and right.
"""

from collections.abc import Callable
from functools import partial
from types import MappingProxyType

from mechdesign.papers import gc_bits, gc_chain, gc_losses, hlm, hlm_product, hlm_sets, nd, sm
from mechdesign.papers.published import Claim as Claim
from mechdesign.papers.published import Result as Result
from mechdesign.papers.published import reproduced

ERRATA = """\
ERR-x.y numbers errata of the papers and remarks on them: x is 0 for [ND], 2 for [HLM], 3 for [GC] and 4 for [SM]. \
Not all are errors: ERR-2.2 and ERR-2.3 are hypotheses that a theorem needs; ERR-3.3 and the indices of ERR-3.4 may \
be lost or misread in the text of the paper at hand."""
"""What the tags in words and notes mean."""

ROWS = {
    "gc-figure-1a": gc_bits.figure_1a,
    "gc-figure-1b": gc_chain.figure_1b,
    "gc-figure-1c": gc_chain.figure_1c,
    "gc-optimum": gc_chain.optima,
    "gc-observation-9": gc_bits.observation_9,
    "gc-uniqueness": gc_chain.uniqueness,
    "gc-small-epsilon": gc_chain.small_epsilon,
    "gc-theorem-8": gc_losses.theorem_8,
    "gc-composition": gc_losses.composition,
    "gc-bit-versus-categorical": gc_bits.bit_versus_categorical,
    "hlm-examples-1-3": hlm_product.examples_1_3,
    "hlm-example-2": hlm_sets.example_2,
    "hlm-sufficient-sets": hlm_sets.sufficient_sets,
    "hlm-theorems-4-5": hlm.theorems_4_5,
    "hlm-theorem-6": hlm_product.theorem_6,
    "hlm-theorem-10": hlm_product.theorem_10,
    "nd-theorem-1": nd.theorem_1,
    "nd-prior": nd.prior,
    "nd-figures-1-4": nd.figures_1_4,
    "nd-figure-5": nd.figure_5,
    "nd-figures-6-8": nd.figures_6_8,
    "nd-floor": nd.floor,
    "sm-table-2": sm.table_2,
    "sm-table-3": sm.table_3,
    "sm-table-4": sm.table_4,
    "sm-two-scales": sm.two_scales,
    "sm-statistics": sm.perspective,
    "sm-mending": sm.mending,
}
"""What computes each result's rows."""

RESULTS: MappingProxyType[str, Callable[[], Result]] = MappingProxyType(
    {name: partial(reproduced, name, rows) for name, rows in ROWS.items()}
)
