"""Mechanisms of other packages, as the exact mechanisms that they are.

One file per package. None imports the package it is for: each takes an object that the package made, so a package that
is not installed is not missed. What a package gives as a matrix (libqif's channels, rows that an LP solver returned)
needs no adapter: `mechanism_from_matrix` takes it.
"""

from mechdesign.zoo.adapters.diffprivlib import from_diffprivlib as from_diffprivlib
from mechdesign.zoo.adapters.loading import MissingPackageError as MissingPackageError
from mechdesign.zoo.adapters.loading import load as load
from mechdesign.zoo.adapters.multi_freq_ldpy import from_multi_freq_ldpy as from_multi_freq_ldpy
from mechdesign.zoo.adapters.opendp import from_opendp as from_opendp
from mechdesign.zoo.adapters.pure_ldp import from_pure_ldp as from_pure_ldp
