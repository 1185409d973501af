"""Mechanisms that have a formula, exact: one file per formula."""

from mechdesign.closed_form.exponential import exponential_mechanism as exponential_mechanism
from mechdesign.closed_form.exponential import exponential_weight as exponential_weight
from mechdesign.closed_form.k_ary import k_ary as k_ary
from mechdesign.closed_form.one_bit_cluster import flip_probability as flip_probability
from mechdesign.closed_form.one_bit_cluster import one_bit_cluster as one_bit_cluster
from mechdesign.closed_form.private_exponential import private_exponential as private_exponential
from mechdesign.closed_form.product_sanitisation import ProductSanitisation as ProductSanitisation
from mechdesign.closed_form.product_sanitisation import least_error as least_error
from mechdesign.closed_form.product_sanitisation import optimal_product_sanitisation as optimal_product_sanitisation
from mechdesign.closed_form.two_profiles import two_profiles as two_profiles
from mechdesign.closed_form.two_profiles_hamming import two_profiles_hamming as two_profiles_hamming
