"""The zoo: each specimen that can be caught here is, and what is said of it holds by a second derivation."""

import math
import sys
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import zoo
from doubles import clip_and_renormalise, k_ary_in_doubles
from oracles.divergence import exp_at_least, exp_at_most
from specimen import Caught, Specimen
from specimens import SPECIMENS
from zoo import Conclusion, Finding, examine, in_words

from mechdesign import InputError, certify, mechanism_from_matrix

QUICK = [specimen for specimen in SPECIMENS if not specimen.slow]


def found(specimen: Specimen) -> Finding:
    """Examine a specimen, or skip the test where its package is missing."""
    finding = examine(specimen)
    if finding.outcome is Conclusion.MISSING:
        pytest.skip(finding.words)
    return finding


@pytest.mark.parametrize("specimen", QUICK, ids=lambda s: f"{s.package}: {s.mechanism}, {s.parameters}")
def test_what_is_said_of_a_specimen_holds(specimen: Specimen) -> None:
    finding = found(specimen)
    assert finding.version
    if finding.outcome is Conclusion.NO_MECHANISM:
        assert "row" in finding.words
        return
    caught, verdict = specimen.catch(), finding.verdict
    assert verdict is not None
    assert finding.epsilon == caught.epsilon
    at_least, at_most = needed_delta(caught)
    assert (at_most == 0) is (finding.outcome is Conclusion.HOLDS)
    assert at_least <= verdict.delta[1]
    assert verdict.delta[0] <= at_most
    if finding.outcome is Conclusion.BY_ROUNDING:
        assert verdict.epsilon[1] < caught.epsilon * (1 + 1e-8)
    if finding.outcome is Conclusion.REFUTED:
        assert verdict.epsilon[0] > caught.epsilon
    if finding.outcome in (Conclusion.BY_ROUNDING, Conclusion.REFUTED) and math.isfinite(verdict.epsilon[1]):
        assert certify(caught.mechanism, caught.graph, epsilon=verdict.epsilon[1]).private  # the words hold


def needed_delta(caught: Caught) -> tuple[Fraction, Fraction]:
    """Return (lower, upper) around the largest sum of max(0, A_xy - e^epsilon A_zy), from the definition."""
    mechanism, epsilon = caught.mechanism, Fraction(caught.epsilon)
    rows = [[Fraction(int(w), int(sum(row))) for w in row] for row in mechanism.weights]
    k = len(rows)
    pairs = [(x, z) for x in range(k) for z in range(k) if (x != z if caught.graph is None else abs(x - z) == 1)]
    bounds = [Fraction(0), Fraction(0)]
    for side, power in enumerate((exp_at_least(epsilon), exp_at_most(epsilon))):
        for x, z in pairs:
            excess = sum((max(a - power * b, Fraction(0)) for a, b in zip(rows[x], rows[z], strict=True)), Fraction(0))
            bounds[side] = max(bounds[side], excess)
    return bounds[0], bounds[1]


@pytest.mark.slow
def test_clip_and_renormalise_gives_an_infinite_epsilon() -> None:
    """One output has probability 0 for one input and not for another, so no epsilon covers it; delta is tiny."""
    infinite = []
    for k, epsilon in ((12, 2.0), (16, 2.0), (20, 1.0), (20, 2.0), (24, 0.5), (24, 1.0)):
        for loss in (1 - np.eye(k), np.abs(np.subtract.outer(np.arange(k), np.arange(k))).astype(float)):
            answer = clip_and_renormalise(k, epsilon, loss)
            assert (answer >= 0).all()
            assert np.abs(answer.sum(axis=1) - 1).max() < 1e-14
            verdict = certify(mechanism_from_matrix(answer), epsilon=epsilon)
            if math.isinf(verdict.epsilon[0]):
                infinite.append((k, epsilon))
                assert ((answer == 0).any(axis=0) & (answer > 0).any(axis=0)).any()
                assert 0 < verdict.delta[1] < 1e-9
    assert infinite


def test_k_ary_in_doubles_sometimes_holds_and_sometimes_misses() -> None:
    verdicts = {
        (k, epsilon): certify(mechanism_from_matrix(k_ary_in_doubles(k, epsilon)), epsilon=epsilon)
        for k in (2, 3, 4, 8)
        for epsilon in (0.5, 1.0, 2.0)
    }
    assert any(verdict.private for verdict in verdicts.values())
    assert any(verdict.by_rounding for verdict in verdicts.values())
    assert all(verdict.private or verdict.by_rounding for verdict in verdicts.values())


@pytest.mark.parametrize(
    ("package", "mechanism", "outcomes"),
    [
        ("OpenDP", "make_randomized_response", {Conclusion.HOLDS}),  # it rounds its claim up
        ("pure-ldp", "UEClient as before 1.2.0 (issue 11)", {Conclusion.REFUTED}),
        ("pure-ldp", "UEClient", {Conclusion.HOLDS, Conclusion.BY_ROUNDING}),
        ("diffprivlib", "Binary", {Conclusion.HOLDS, Conclusion.BY_ROUNDING}),
    ],
)
def test_the_known_findings(package: str, mechanism: str, outcomes: set[Conclusion]) -> None:
    chosen = [s for s in QUICK if (s.package, s.mechanism) == (package, mechanism)]
    assert chosen
    for specimen in chosen:
        assert found(specimen).outcome in outcomes


def test_libqif_answers_that_are_not_private() -> None:
    programs = [s for s in QUICK if s.package == "libqif" and s.mechanism.startswith("min_loss_given_d")]
    outcomes = {found(specimen).outcome for specimen in programs}
    assert Conclusion.REFUTED in outcomes
    qif = pytest.importorskip("qif")
    assert qif.lp.defaults.solver == "AUTO"  # as it was


def test_a_missing_package_is_a_row_that_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mechdesign.packages.importlib.import_module", _absent)
    for specimen in QUICK:
        if specimen.package not in ("scipy", "numpy"):
            finding = examine(specimen)
            assert finding.outcome is Conclusion.MISSING
            assert "pip install" in finding.words
            assert (finding.version, finding.epsilon, finding.verdict) == ("", None, None)


def _absent(name: str) -> None:
    raise ModuleNotFoundError(f"No module named '{name}'", name=name.partition(".")[0])


def test_what_is_no_mechanism_is_a_row_that_says_so() -> None:
    def catch() -> Caught:
        raise InputError(["row 0, column 1: expected a probability >= 0, found -1/7", "row 2: too much"])

    finding = examine(Specimen("numpy", "none", "", catch))
    assert finding.outcome is Conclusion.NO_MECHANISM
    assert finding.words == "no mechanism: row 0, column 1: expected a probability >= 0; faults in all: 2"


def test_the_words_are_rounded_up() -> None:
    verdict = certify(mechanism_from_matrix([["3/4", "1/4"], ["1/4", "3/4"]]), epsilon=1)
    words = in_words(Conclusion.REFUTED, verdict)
    epsilon, delta = words.removeprefix("refuted: epsilon = ").split(", or delta = ")
    assert float(epsilon) == verdict.epsilon[1]
    assert Decimal(verdict.delta[1]) <= Decimal(delta) <= Decimal(verdict.delta[1]) * Decimal("1.01")


@pytest.mark.parametrize("slow", [False, True])
def test_the_script(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], slow: bool) -> None:
    """With a zoo of four, of which one is slow."""
    coin = mechanism_from_matrix([["3/4", "1/4"], ["1/4", "3/4"]])
    identity = mechanism_from_matrix([[1, 0], [0, 1]])

    def none() -> Caught:
        raise InputError("row 0: expected a total of 1")

    four = (
        Specimen("numpy", "coin", "k = 2", lambda: Caught(coin, 2.0)),
        Specimen("numpy", "identity", "k = 2", lambda: Caught(identity, 0.5)),
        Specimen("numpy", "none", "", none),
        Specimen("numpy", "large", "", lambda: Caught(coin, 2.0), slow=True),
    )
    monkeypatch.setattr(zoo, "SPECIMENS", four)
    monkeypatch.setattr(sys, "argv", ["zoo.py", *["--slow"] * slow])
    zoo.main()
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == [
        "| package | mechanism | parameters | epsilon claimed | what holds exactly | least change |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    assert lines[2] == f"| numpy {np.__version__} | coin | k = 2 | 2 | holds |  |"
    assert lines[3].endswith("| 0.5 | refuted: infinite epsilon; the claim needs delta = 1 | 0.378 |")
    assert lines[4].endswith("| none |  |  | no mechanism: row 0: expected a total of 1 |  |")
    assert len(lines) == 5 + slow


def test_what_is_refuted_is_mended() -> None:
    """A claim that does not hold comes with the nearest mechanism for which it does; one that holds with none."""
    for specimen in (SPECIMENS[1], SPECIMENS[4], SPECIMENS[5]):
        finding, caught = examine(specimen), specimen.catch()
        if finding.outcome is Conclusion.HOLDS:
            assert finding.mended is None
            continue
        assert finding.mended is not None
        assert certify(finding.mended.mechanism, caught.graph, epsilon=caught.epsilon).private
        assert 0 <= finding.mended.bound <= finding.mended.value
        assert 0 < finding.mended.value < Fraction(1, 10**14)
