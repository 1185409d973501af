"""Mechanisms as they are customarily made in doubles: solve, clip negatives, renormalise; a formula written down."""

import math

import numpy as np
from scipy import sparse
from scipy.optimize import linprog

from mechdesign.arrays import Floats


def rising(k: int) -> Floats:
    """Return the prior of all linear programs here: value x has weight x + 1."""
    return np.array(np.arange(1, k + 1) / (k * (k + 1) // 2))


def clip_and_renormalise(k: int, epsilon: float, loss: Floats) -> Floats:
    """Return what the customary recipe makes of the best locally private mechanism: solve, clip, renormalise.

    Parameters
    ----------
    k
        inputs, and outputs.
    epsilon
        what is asked of all pairs of inputs.
    loss
        k x k; its mean under the prior `rising` is least.
    """
    # minimise sum_x pi_x sum_y l_xy A_xy  subject to  A_xy <= e^epsilon A_zy for all x, z != x, y;  sum_y A_xy = 1
    first, second = np.nonzero(~np.eye(k, dtype=bool))
    one, outputs = sparse.identity(k, format="csr"), sparse.identity(k)
    above = sparse.kron(one[first] - math.exp(epsilon) * one[second], outputs)
    totals = sparse.kron(outputs, np.ones((1, k)))
    cost = (rising(k)[:, None] * loss).ravel()
    answer = linprog(cost, above, np.zeros(above.shape[0]), totals, np.ones(k), method="highs").x.reshape(k, k)
    clipped = np.maximum(answer, 0.0)
    return np.array(clipped / clipped.sum(axis=1, keepdims=True))


def k_ary_in_doubles(k: int, epsilon: float) -> Floats:
    """Return k-ary randomised response as it is usually written down."""
    power = math.exp(epsilon)
    return np.where(np.eye(k, dtype=bool), power / (power + k - 1), 1 / (power + k - 1))
