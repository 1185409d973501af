"""Mechanisms as measurements of OpenDP, against OpenDP itself where it is installed, and against a small stand-in."""

import math
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from scipy.stats import chisquare

import mechdesign as md
from mechdesign import InputError
from mechdesign.packages import MissingPackageError
from mechdesign.release.measurement import opendp_measurement

THREE = md.k_ary(["a", "b", "c"], epsilon=1)
SKEW = md.mechanism_from_matrix([["0", "1/3", "2/3"], ["0", "2/3", "1/3"]], inputs=[0, 1], outputs=["x", "y", "z"])


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a module in OpenDP's place that keeps what a measurement is made of."""
    prelude: Any = ModuleType("opendp.prelude")
    prelude.m = SimpleNamespace(make_user_measurement=lambda *space, **rest: SimpleNamespace(space=space, **rest))
    prelude.user_domain = lambda identifier, member: SimpleNamespace(identifier=identifier, member=member)
    prelude.discrete_distance = lambda: "discrete"
    prelude.max_divergence = lambda: "max"
    prelude.approximate = lambda measure: f"approximate {measure}"
    package: Any = ModuleType("opendp")
    package.prelude = prelude
    monkeypatch.setitem(sys.modules, "opendp", package)
    monkeypatch.setitem(sys.modules, "opendp.prelude", prelude)


@pytest.mark.usefixtures("stand_in")
def test_what_the_measurement_says() -> None:
    made = opendp_measurement(THREE)
    domain, metric = made.space
    assert (domain.identifier, metric, made.output_measure) == ("mechdesign's 3 categories", "discrete", "max")
    assert [domain.member(value) for value in ("a", "d", 1)] == [True, False, False]
    assert made.privacy_map(0) == 0
    assert 1 - 1e-15 < made.privacy_map(1) == made.privacy_map(2) <= 1
    assert md.certify(THREE, epsilon=made.privacy_map(1)).private


@pytest.mark.usefixtures("stand_in")
def test_with_a_delta_the_measure_is_approximate() -> None:
    made = opendp_measurement(SKEW, delta="1/10")
    assert made.output_measure == "approximate max"
    epsilon, delta = made.privacy_map(1)
    assert made.privacy_map(0) == (0, 0)
    assert delta == 0.1
    assert epsilon == pytest.approx(math.log((2 / 3 - 0.1) / (1 / 3)))
    assert md.certify(SKEW, epsilon=epsilon, delta="1/10").private


@pytest.mark.usefixtures("stand_in")
def test_it_is_about_values_whatever_the_profiles_were() -> None:
    """A design for profiles that are close lets values be told apart: OpenDP is told of the values."""
    designed = md.design("categorical-chain", epsilon=0.5, shared=True).mechanism
    assert opendp_measurement(designed).privacy_map(1) > 0.5


@pytest.mark.usefixtures("stand_in")
def test_it_draws_the_mechanisms_law() -> None:
    draw = opendp_measurement(SKEW).function
    drawn = [draw(1) for _ in range(6000)]
    assert set(drawn) == {"y", "z"}
    assert chisquare([drawn.count("y"), drawn.count("z")], [4000, 2000]).pvalue > 1e-9
    with pytest.raises(InputError, match="unknown value: expected one of the 2 categories"):
        draw(2)


def test_mechanisms_that_opendp_cannot_express_are_refused() -> None:
    own = md.design("categorical-chain", epsilon=0.5).mechanism
    with pytest.raises(InputError, match="expected one table for all profiles, found one for each of 3 profiles"):
        opendp_measurement(own)
    with pytest.raises(InputError, match="no finite epsilon holds for every pair of values at delta 0"):
        opendp_measurement(md.mechanism_from_matrix([[1, 0], [0, 1]]))
    with pytest.raises(InputError, match="expected a Mechanism"):
        opendp_measurement([[1, 0], [0, 1]])  # type: ignore[arg-type]


def test_without_opendp_it_is_said_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "opendp"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "opendp", None)
    with pytest.raises(MissingPackageError, match="opendp"):
        opendp_measurement(THREE)


def test_with_opendp_itself() -> None:
    dp = pytest.importorskip("opendp.prelude", exc_type=ImportError)
    dp.enable_features("contrib", "honest-but-curious")
    made = opendp_measurement(THREE)
    assert {made("a") for _ in range(200)} == {"a", "b", "c"}
    assert made.map(0) == 0
    assert made.map(1) == pytest.approx(1, abs=1e-15)
    assert made.check(1, 1.0)
    assert not made.check(1, 0.99)
    with pytest.raises(dp.OpenDPException, match="unknown value"):
        made("d")
    assert dp.c.make_composition([made, made]).map(1) == pytest.approx(2)
    assert opendp_measurement(SKEW, delta="1/10").map(1)[1] == 0.1
