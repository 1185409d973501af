"""Counting queries under Laplace or geometric noise: what a noisy count says of the true one, and how well."""

from mechdesign.count.bayes import Posterior as Posterior
from mechdesign.count.bayes import posterior as posterior
from mechdesign.count.bayes import posterior_mean as posterior_mean
from mechdesign.count.bayes import posterior_median as posterior_median
from mechdesign.count.floor import least_error as least_error
from mechdesign.count.floor import prior_graph as prior_graph
from mechdesign.count.metrics import Errors as Errors
from mechdesign.count.metrics import Estimates as Estimates
from mechdesign.count.metrics import Simulation as Simulation
from mechdesign.count.metrics import errors as errors
from mechdesign.count.metrics import simulated_errors as simulated_errors
from mechdesign.count.noise import Noise as Noise
from mechdesign.count.noisy_count import expected_out_of_range as expected_out_of_range
from mechdesign.count.noisy_count import least_out_of_range as least_out_of_range
from mechdesign.count.noisy_count import most_out_of_range as most_out_of_range
from mechdesign.count.noisy_count import out_of_range as out_of_range
from mechdesign.count.noisy_count import release as release
from mechdesign.count.prior import Beta as Beta
