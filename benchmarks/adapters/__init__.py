"""Mechanisms of other packages, as the exact mechanisms that they are.

One file per package. None imports the package it is for: each takes an object that the package made, so a package that
is not installed is not missed. What a package gives as a matrix (libqif's channels, rows that an LP solver returned)
needs no adapter: `mechanism_from_matrix` takes it.
"""

from adapters.diffprivlib import from_diffprivlib as from_diffprivlib
from adapters.multi_freq_ldpy import from_multi_freq_ldpy as from_multi_freq_ldpy
from adapters.opendp import from_opendp as from_opendp
from adapters.pure_ldp import from_pure_ldp as from_pure_ldp
