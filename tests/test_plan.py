"""How many rows a margin takes: formulas, and that so many rows are enough."""

from fractions import Fraction

import numpy as np
import pytest

import mechdesign as md
from mechdesign.release.intervals import QUANTILE

COIN = [["3/4", "1/4"], ["1/4", "3/4"]]


def test_without_noise_it_is_the_opinion_poll() -> None:
    """z^2 / (4 margin^2), the share 1/2 being the worst; and of the rows themselves one is enough."""
    plain = [[1, 0], [0, 1]]
    assert md.plan_rows(plain, "0.03").rows == 1068
    assert md.plan_rows(plain, "0.03", these_rows=True).rows == 1


def test_randomised_response() -> None:
    """Its worst share is 1/2: p (1 - p) / (2 p - 1)^2 + 1/4 = 1."""
    found = md.plan_rows(COIN, "0.01")
    assert found.rows == int(QUANTILE**2 / 0.01**2) + 1
    assert found.margin == Fraction(1, 100)
    assert dict(found.profiles) == {"all": found.rows}


def test_a_margin_that_no_double_holds() -> None:
    rows = md.plan_rows(COIN, "1e-400").rows
    assert rows is not None
    assert rows / 10**800 == pytest.approx(QUANTILE**2)


def test_so_many_rows_are_enough() -> None:
    rows = md.plan_rows(COIN, "0.02").rows
    assert rows is not None
    found = md.estimate(COIN, [0] * (rows // 2) + [1] * (rows // 2)).profiles["all"][0]
    assert found.high - found.low == pytest.approx(0.04, rel=1e-3)


def test_each_profile_needs_its_own() -> None:
    mechanism = md.design("categorical-chain", epsilon="0.5").mechanism
    found = md.plan_rows(mechanism, "0.01")
    assert list(found.profiles) == ["P1", "P2", "P3"]
    assert found.profiles["P1"] == 9604  # which it releases as it is: the opinion poll again
    assert found.rows == max(rows or 0 for rows in found.profiles.values())


def test_of_single_values_with_a_matrix_each_the_rows_say_whose_they_are() -> None:
    profiles = {"p": [1, 0], "q": [1, 0], "r": [0, 1]}
    graph = md.profile_graph(profiles, edges=[("p", "r")], categories=["no", "yes"])
    (needed,) = md.plan_rows(md.design(graph, epsilon=1).mechanism, "0.01").answer().tables
    assert needed.note == "of each profile by itself: every row must say whose it is"
    assert not any(table.note for table in md.plan_rows(COIN, "0.01").answer().tables)


def test_no_number_is_enough_for_what_is_not_determined() -> None:
    found = md.plan_rows([["1", "0"], ["1/2", "1/2"], ["1/2", "1/2"]], "0.01")
    assert found.rows is None
    assert dict(found.undetermined) == {"all": (1, 2)}


def test_too_many_categories() -> None:
    with pytest.raises(md.InputError, match="at most 2,000 unknown shares can be estimated, found 2,001 categories"):
        md.plan_rows(np.eye(2_001), "0.01")


def test_shares_may_be_per_cent() -> None:
    assert md.plan_rows(COIN, "2%", level="90 %") == md.plan_rows(COIN, "0.02", level="0.9")
