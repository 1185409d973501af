"""Mechanisms that have a formula, exact: one file per formula."""

from mechdesign.closed_form.exponential import exponential_mechanism as exponential_mechanism
from mechdesign.closed_form.exponential import exponential_weight as exponential_weight
from mechdesign.closed_form.hamming import hamming_delta as hamming_delta
from mechdesign.closed_form.hamming import hamming_error as hamming_error
from mechdesign.closed_form.hamming import hamming_mechanism as hamming_mechanism
from mechdesign.closed_form.hamming import least_base as least_base
from mechdesign.closed_form.hamming import least_error as least_error
from mechdesign.closed_form.hamming import normalising_constant as normalising_constant
from mechdesign.closed_form.k_ary import k_ary as k_ary
from mechdesign.closed_form.one_bit_cluster import flip_probability as flip_probability
from mechdesign.closed_form.one_bit_cluster import one_bit_cluster as one_bit_cluster
from mechdesign.closed_form.private_exponential import private_exponential as private_exponential
from mechdesign.closed_form.product_sanitisation import ProductSanitisation as ProductSanitisation
from mechdesign.closed_form.product_sanitisation import optimal_product_sanitisation as optimal_product_sanitisation
from mechdesign.closed_form.symmetric_parent import alpha_of_base as alpha_of_base
from mechdesign.closed_form.symmetric_parent import base_of_alpha as base_of_alpha
from mechdesign.closed_form.symmetric_parent import parent_alpha as parent_alpha
from mechdesign.closed_form.symmetric_parent import product_error as product_error
from mechdesign.closed_form.symmetric_parent import symmetric_parent as symmetric_parent
from mechdesign.closed_form.two_profiles import two_profiles as two_profiles
from mechdesign.closed_form.two_profiles_hamming import two_profiles_hamming as two_profiles_hamming
