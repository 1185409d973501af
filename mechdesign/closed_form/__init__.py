"""Mechanisms that have a formula, exact: one file per formula."""

from mechdesign.closed_form.k_ary import k_ary as k_ary
from mechdesign.closed_form.one_bit_cluster import flip_probability as flip_probability
from mechdesign.closed_form.one_bit_cluster import one_bit_cluster as one_bit_cluster
