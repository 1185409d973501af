"""Adapters of other packages: against the packages themselves where they are installed, and against small stand-ins.

A stand-in has the name and the attributes that the adapter reads, and a sampler of which everything is known.
"""

import math
import random
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from adapters import (
    from_diffprivlib,
    from_multi_freq_ldpy,
    from_opendp,
    from_pure_ldp,
)
from adapters.draws import NUMBERS, counted, heads, randomised_response
from adapters.pure_ldp import unary_encoding

from mechdesign import InputError, Mechanism, certify, counting_graph, mechanism_from_matrix
from mechdesign.packages import MissingPackageError, load

EPSILONS = [0.5, 1.0, 2.0, 3.0]


def installed(module: str) -> Any:
    """Import a module of another package, or skip the test where the package is missing or does not load."""
    return pytest.importorskip(module, exc_type=ImportError)


def tight(mechanism: Mechanism, epsilon: float, graph: Any = None) -> tuple[float, float]:
    return certify(mechanism, graph, epsilon=epsilon).epsilon


# --- counting ---


@pytest.mark.parametrize("p", [0.0, 1e-300, 0.1, 1 / 3, 0.5, 0.75, 0.9, 1 - 2.0**-53, 1.0])
def test_heads_counts_the_numbers_below(p: float) -> None:
    count = heads(p) * NUMBERS
    assert count == 0 or (int(count) - 1) / NUMBERS < p
    assert count == NUMBERS or int(count) / NUMBERS >= p
    assert counted(lambda u: u < p)[True] == count


def test_counted_finds_intervals_of_one_number() -> None:
    odd = {0: "first", NUMBERS // 2: "middle", NUMBERS - 1: "last"}
    counts = counted(lambda u: odd.get(int(u * NUMBERS), "low" if u < 0.5 else "high"))
    assert counts == {"first": 1, "middle": 1, "last": 1, "low": NUMBERS // 2 - 1, "high": NUMBERS // 2 - 2}


def test_counted_takes_an_output_on_both_sides_of_a_half() -> None:
    counts = counted(lambda u: min(2, int(abs(u - 0.5) * 8)))
    assert [counts[y] for y in range(3)] == [NUMBERS // 4 - 1, NUMBERS // 4, NUMBERS // 2 + 1]


def test_randomised_response() -> None:
    assert randomised_response("abc", Fraction(1, 2)).row("b", "b") == (Fraction(1, 4), Fraction(1, 2), Fraction(1, 4))


# --- diffprivlib ---


class Binary:
    """A stand-in that flips when u >= 3/4, `draws` numbers at a time."""

    value0, value1, draws = "no", "yes", 1
    _rng: Any = None

    def randomise(self, value: str) -> str:
        u = min(self._rng.random() for _ in range(self.draws))
        return value if u < 0.75 else ("yes" if value == "no" else "no")


def test_a_stand_in_for_binary() -> None:
    mechanism = from_diffprivlib(Binary())
    assert mechanism.inputs == mechanism.outputs == ("no", "yes")
    assert mechanism.row("no", "yes") == (Fraction(1, 4), Fraction(3, 4))


def test_a_sampler_that_draws_twice_is_not_counted_wrongly() -> None:
    twice = Binary()
    twice.draws = 2
    with pytest.raises(InputError, match="draws 2"):
        from_diffprivlib(twice)


@pytest.mark.parametrize("adapter", [from_diffprivlib, from_opendp, from_pure_ldp])
@pytest.mark.parametrize("thing", [None, 3, [[1, 0], [0, 1]], SimpleNamespace(epsilon=1)])
def test_what_is_no_mechanism_of_the_package_is_rejected(adapter: Any, thing: object) -> None:
    with pytest.raises(InputError, match="expected"):
        adapter(thing)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_binary_of_diffprivlib(epsilon: float) -> None:
    mechanisms = installed("diffprivlib.mechanisms")
    mechanism = from_diffprivlib(mechanisms.Binary(epsilon=epsilon, value0="no", value1="yes"))
    truth = mechanism.row("no", "no")[0]
    assert truth.denominator <= NUMBERS
    assert float(truth) == pytest.approx(1 / (1 + math.exp(-epsilon)), abs=1e-15)
    assert tight(mechanism, epsilon)[1] == pytest.approx(epsilon, abs=1e-14)


def ends(row: tuple[Fraction, ...]) -> list[int]:
    """Return the first and the last number of each interval, for outputs drawn in order."""
    edges = [int(edge * NUMBERS) for edge in np.cumsum(np.array(row, dtype=object))]
    return [u for edge in edges for u in (edge - 1, edge) if u < NUMBERS]


def test_exponential_categorical_of_diffprivlib_draws_what_was_counted() -> None:
    mechanisms = installed("diffprivlib.mechanisms")
    utilities = [("a", "b", 1.0), ("a", "c", 2.0), ("b", "c", 1.5)]
    original = mechanisms.ExponentialCategorical(epsilon=1.0, utility_list=utilities)
    mechanism = from_diffprivlib(original)
    for x in "abc":
        row = mechanism.row(x, x)
        edges = np.cumsum(np.array(row, dtype=object))
        for u in ends(row):
            original._rng = SimpleNamespace(random=lambda u=u: u / NUMBERS)
            drawn = mechanism.outputs.index(original.randomise(x))
            assert drawn == next(y for y, edge in enumerate(edges) if u < edge * NUMBERS)
    assert tight(mechanism, 1.0)[1] <= 1.0 + 1e-14


def test_exponential_hierarchical_of_diffprivlib() -> None:
    mechanisms = installed("diffprivlib.mechanisms")
    mechanism = from_diffprivlib(mechanisms.ExponentialHierarchical(epsilon=1.0, hierarchy=[["a", "b"], ["c", "d"]]))
    assert set(mechanism.inputs) == set("abcd")
    assert tight(mechanism, 1.0)[1] == pytest.approx(1.0, abs=1e-12)


def test_truncated_geometric_of_diffprivlib_is_near_the_formula() -> None:
    mechanisms = installed("diffprivlib.mechanisms")
    mechanism = from_diffprivlib(mechanisms.GeometricTruncated(epsilon=1.0, lower=0, upper=4))
    assert mechanism.outputs == (0, 1, 2, 3, 4, "error")
    a = math.exp(-1.0)
    inner = [a ** abs(y - 2) * (1 - a) / (1 + a) for y in (1, 2, 3)]
    expected = [a**2 / (1 + a), *inner, a**2 / (1 + a), 0]
    assert [float(p) for p in mechanism.row(2, 2)] == pytest.approx(expected, abs=1e-14)
    assert mechanism.row(2, 2)[-1] == Fraction(1, NUMBERS)  # u = 1/2: the logarithm of 0


def test_truncated_geometric_of_diffprivlib_has_no_far_tail() -> None:
    """Noise beyond what 2^-53 allows is never drawn: an output that some inputs reach and others do not."""
    mechanisms = installed("diffprivlib.mechanisms")
    mechanism = from_diffprivlib(mechanisms.GeometricTruncated(epsilon=4.0, lower=0, upper=10))
    verdict = certify(mechanism, counting_graph(10), epsilon=4.0)
    assert verdict.epsilon == (math.inf, math.inf)
    assert 0 < verdict.delta[0] <= verdict.delta[1] < 1e-13


def test_truncated_geometric_of_diffprivlib_needs_finite_bounds() -> None:
    mechanisms = installed("diffprivlib.mechanisms")
    with pytest.raises(InputError, match="bounds"):
        from_diffprivlib(mechanisms.GeometricTruncated(epsilon=1.0, lower=0, upper=float("inf")))
    with pytest.raises(InputError, match="expected diffprivlib's"):
        from_diffprivlib(mechanisms.Laplace(epsilon=1.0, sensitivity=1.0))


# --- OpenDP ---


def measurement(name: str = "make_randomized_response", **arguments: Any) -> SimpleNamespace:
    """Return a stand-in that says what it was made from."""
    return SimpleNamespace(__opendp_dict__={"__function__": name, "__kwargs__": arguments})


def test_stand_ins_for_opendp() -> None:
    mechanism = from_opendp(measurement(categories=["a", "b", "c", "a"], prob=0.75))  # a set: "a" counts once
    assert mechanism.row("c", "c") == (Fraction(1, 8), Fraction(1, 8), Fraction(3, 4))
    assert from_opendp(measurement("make_randomized_response_bool", prob=0.75)).outputs == ("False", "True")
    with pytest.raises(InputError, match="make_randomized_response"):
        from_opendp(measurement("make_laplace", scale=1.0))


@pytest.mark.parametrize("k", [2, 3, 10])
@pytest.mark.parametrize("prob", [0.6, 0.75, 0.9, 0.99])
def test_opendp_claims_no_less_than_it_needs(k: int, prob: float) -> None:
    dp = installed("opendp.prelude")
    dp.enable_features("contrib")
    made = dp.m.make_randomized_response(list(range(k)), prob)
    lower, upper = tight(from_opendp(made), 1.0)
    claim = made.map(1)
    assert lower <= claim
    assert claim == pytest.approx(upper, rel=1e-14)
    assert certify(from_opendp(made), epsilon=Fraction(claim)).private  # computed: the double that it is


def test_opendp_draws_like_the_matrix() -> None:
    dp = installed("opendp.prelude")
    dp.enable_features("contrib")
    made = dp.m.make_randomized_response(["a", "b", "c"], 0.5)
    draws = [made("b") for _ in range(2000)]
    for y, probability in zip("abc", from_opendp(made).row("b", "b"), strict=True):
        assert abs(draws.count(y) / 2000 - probability) < 0.08  # seven standard deviations
    assert from_opendp(dp.m.make_randomized_response_bool(0.75)).row("True", "True")[1] == Fraction(3, 4)


# --- pure-ldp ---


class UEClient:
    """A stand-in of d bits with p = 3/4, q = 1/4, whose bit is cleared first or not."""

    def __init__(self, d: int, *, clears: bool) -> None:
        self.d, self.p, self.q, self.clears = d, 0.75, 0.25, clears

    def _perturb(self, index: int) -> list[int]:
        bits = [int(random.random() < self.q) for _ in range(self.d)]
        if self.clears:
            bits[index] = 0
        return [1 if bit == index and random.random() < self.p else old for bit, old in enumerate(bits)]


@pytest.mark.parametrize(("clears", "own"), [(True, Fraction(3, 4)), (False, Fraction(13, 16))])
def test_stand_ins_for_unary_encoding(clears: bool, own: Fraction) -> None:
    mechanism = from_pure_ldp(UEClient(2, clears=clears))
    assert mechanism.outputs == ("00", "01", "10", "11")
    assert mechanism.row(0, 0) == (
        (1 - own) * Fraction(3, 4),
        (1 - own) * Fraction(1, 4),
        own * Fraction(3, 4),
        own * Fraction(1, 4),
    )


def test_unary_encoding_of_many_bits_is_rejected() -> None:
    with pytest.raises(InputError, match="12 bits"):
        unary_encoding(13, 0.75, 0.25, clears=True)


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("d", [2, 3, 10])
def test_direct_encoding_of_pure_ldp(d: int, epsilon: float) -> None:
    module = installed("pure_ldp.frequency_oracles.direct_encoding")
    mechanism = from_pure_ldp(module.DEClient(epsilon, d))
    assert float(mechanism.row(0, 0)[0]) == pytest.approx(math.exp(epsilon) / (math.exp(epsilon) + d - 1), rel=1e-14)
    assert tight(mechanism, epsilon)[1] == pytest.approx(epsilon, abs=1e-13)


def test_direct_encoding_of_pure_ldp_decides_where_it_was_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    module = installed("pure_ldp.frequency_oracles.direct_encoding")
    client = module.DEClient(0.5, 5)
    threshold = int(from_pure_ldp(client).row(0, 0)[0] * NUMBERS)
    for number, honest in ((threshold - 1, True), (threshold, False)):
        monkeypatch.setattr(random, "random", lambda number=number: number / NUMBERS)
        assert (client._perturb(2) == 2) is honest


@pytest.mark.parametrize("use_oue", [False, True])
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_unary_encoding_of_pure_ldp(epsilon: float, use_oue: bool) -> None:
    module = installed("pure_ldp.frequency_oracles.unary_encoding")
    client = module.UEClient(epsilon, 4, use_oue=use_oue)
    assert tight(from_pure_ldp(client), epsilon)[1] == pytest.approx(epsilon, abs=1e-13)
    before = certify(unary_encoding(4, client.p, client.q, clears=False), epsilon=epsilon)
    assert not before.private
    assert not before.by_rounding
    p, q = client.p, client.q
    own = p + q - p * q  # issue 11: the bit is 1 too often, and its odds against another's too high
    assert before.epsilon[1] == pytest.approx(math.log(own * (1 - q) / (q * (1 - own))), rel=1e-12)


# --- multi-freq-ldpy ---


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_grr_of_multi_freq_ldpy(epsilon: float) -> None:
    mechanism = from_multi_freq_ldpy(4, epsilon)
    assert tight(mechanism, epsilon)[1] == pytest.approx(epsilon, abs=1e-13)


def test_grr_of_multi_freq_ldpy_draws_like_the_matrix() -> None:
    module = installed("multi_freq_ldpy.pure_frequency_oracles.GRR")
    draws = [int(module.GRR_Client(1, 3, 1.0)) for _ in range(3000)]
    for y, probability in enumerate(from_multi_freq_ldpy(3, 1).row(1, 1)):
        assert abs(draws.count(y) / 3000 - probability) < 0.065  # seven standard deviations


# --- libqif: its channels are matrices ---


@pytest.mark.parametrize("k", [2, 5, 20])
@pytest.mark.parametrize("name", ["randomized_response", "geometric"])
def test_closed_forms_of_libqif(name: str, k: int) -> None:
    qif = installed("qif")
    for epsilon in EPSILONS:
        mechanism = mechanism_from_matrix(getattr(qif.mechanism.d_privacy, name)(k, epsilon))
        graph = counting_graph(k - 1) if name == "geometric" else None
        assert tight(mechanism, epsilon, graph)[1] == pytest.approx(epsilon, abs=1e-13)


def test_channels_of_libqif_in_fractions_stay_exact() -> None:
    qif = installed("qif")
    third = Fraction(1, 3)
    channel = qif.mechanism.bayes_vuln.min_loss_given_max_vuln(
        np.array([third] * 3), 3, Fraction(2, 3), lambda x, y: Fraction(int(x != y))
    )
    mechanism = mechanism_from_matrix(channel)
    assert mechanism.notes == {}
    assert sum(mechanism.row(x, x)[x] for x in range(3)) == 2  # the vulnerability is met exactly


# --- packages that are not there ---


def test_a_missing_package_says_how_to_install_it() -> None:
    with pytest.raises(MissingPackageError, match='zebra>=1 is not installed: pip install "zebra>=1"'):
        load("zebra", needs="zebra>=1")


def test_a_package_that_does_not_load_says_why(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken_zebra.py").write_text("from math import stripes\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(MissingPackageError, match="does not load \\(cannot import name 'stripes' from 'math'\\)"):
        load("broken_zebra", needs="broken-zebra>=1")
