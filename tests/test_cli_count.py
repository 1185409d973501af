"""`mechdesign count`: what it prints, its exit statuses, and bad input."""

import json
from pathlib import Path
from typing import Any

import pytest
from command import run

from mechdesign.count import Beta, errors, expected_out_of_range, posterior, release
from mechdesign.reports import count_plots

Captured = pytest.CaptureFixture[str]
POINT = ("--n", "100", "--p", "0.3", "--epsilon", "0.1")


def test_posterior_json() -> None:
    status, out, err = run("count", "posterior", *POINT, "--answer=45.3", "--json")
    assert (status, err, out.count("\n")) == (0, "", 1)
    found: dict[str, Any] = json.loads(out)
    expected = posterior(45.3, 100, 0.3, 0.1)
    assert (
        found.items()
        >= {
            "mean": pytest.approx(32.129962157230, rel=1e-12),
            "median": expected.median,
            "mode": expected.mode,
            "interval": list(expected.interval()),
            "level": 0.95,
            "deviation": pytest.approx(expected.deviation),
            "naive": 45.3,
            "out_of_range": pytest.approx(expected_out_of_range(100, 0.3, 0.1)),
        }.items()
    )


@pytest.mark.parametrize(
    ("answer", "mean"), [("-20", 27.942856863040), ("150", 32.141036836665), ("1e300", 32.141036836665)]
)
def test_answers_out_of_range(answer: str, mean: float) -> None:
    status, out, _ = run("count", "posterior", *POINT, f"--answer={answer}", "--json")
    assert (status, json.loads(out)["mean"]) == (0, pytest.approx(mean, rel=1e-12))


def test_errors_json() -> None:
    status, out, err = run("count", "errors", *POINT, "--json")
    assert (status, err, out.count("\n")) == (0, "", 1)
    found = json.loads(out)
    expected = errors(100, 0.3, 0.1)
    assert found.keys() >= {
        "naive", "clipped", "mean", "median", "constant", "optimal", "probability_better", "squared"
    }  # fmt: skip
    assert found["naive"] == 10
    assert found["mean"] == pytest.approx(3.39728256, abs=5e-9)
    assert found["probability_better"] == pytest.approx(0.76087853, abs=5e-9)
    assert found["optimal"] == expected.optimal
    assert found["squared"]["mean"] == expected.squared.mean


def test_geometric() -> None:
    _, out, _ = run("count", "errors", *POINT, "--distribution", "geometric", "--json")
    found = json.loads(out)
    assert found["median"] == found["optimal"]
    status, _, err = run("count", "posterior", *POINT, "--distribution", "geometric", "--answer=1.5")
    assert status == 2
    assert "whole number" in err


@pytest.mark.parametrize("p", ["0", "1"])
def test_known_count(p: str) -> None:
    _, out, _ = run("count", "posterior", "--n", "7", "--p", p, "--epsilon", "1", "--answer=3.3", "--json")
    found = json.loads(out)
    assert found["mean"] == found["median"] == found["mode"] == 7 * int(p)
    _, out, _ = run("count", "errors", "--n", "7", "--p", p, "--epsilon", "1", "--json")
    assert json.loads(out)["optimal"] == 0


@pytest.fixture
def few_points(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compute the ends of each curve, and three points between."""
    monkeypatch.setattr(count_plots, "EPSILONS", 5)


@pytest.mark.usefixtures("few_points")
@pytest.mark.parametrize(
    "command", [("posterior", "--answer=45.3"), ("posterior", "--answer=900"), ("errors",)], ids=lambda words: words[-1]
)
@pytest.mark.parametrize("p", ["0.3", "0"])
def test_pictures(tmp_path: Path, command: tuple[str, ...], p: str) -> None:
    path = tmp_path / "picture.png"
    status, _, err = run("count", *command, "--n", "20", "--p", p, "--epsilon", "0.5", "--plot", str(path))
    assert (status, err) == (0, "")
    assert path.read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
@pytest.mark.usefixtures("few_points")
@pytest.mark.parametrize(("n", "epsilon"), [("20", "1e-70"), ("20", "300"), ("204081", "700")])
def test_pictures_within_what_errors_take(tmp_path: Path, n: str, epsilon: str) -> None:
    path = tmp_path / "picture.svg"
    status, out, err = run("count", "errors", "--n", n, "--p", "1e-6", "--epsilon", epsilon, "--plot", str(path))
    assert (status, err) == (0, "")
    assert out.endswith(f"\nWritten: {path}.\n")
    assert path.exists()


def test_picture_of_a_large_count(tmp_path: Path) -> None:
    """A picture of every count takes minutes."""
    path = tmp_path / "picture.svg"
    point = ("--n", "10000000000", "--p", "0.5", "--epsilon", "1e-5", "--answer=5000000000")
    page = tmp_path / "page.html"
    status, out, err = run("count", "posterior", *point, "--plot", str(path), "--report", str(page))
    assert (status, err) == (0, "")
    assert out.endswith(f"\nWritten: {path}, {page}.\n")
    assert path.stat().st_size < 10**6


def test_a_probability_that_is_not_known(tmp_path: Path) -> None:
    """A beta law, as in Python; the page says what it rests on then."""
    page = tmp_path / "page.html"
    _, out, _ = run(
        "count", "posterior", "--n", "100", "--p", "beta:3,7", "--epsilon", "0.1", "--answer=45.3", "--json"
    )
    assert json.loads(out)["mean"] == posterior(45.3, 100, Beta(3, 7), 0.1).mean
    point = ("--n", "20", "--p", "beta:2,38", "--epsilon", "1", "--report", str(page))
    _, out, _ = run("count", "errors", *point)
    assert out.endswith(f"\nWritten: {page}.\n")
    assert out.startswith("n 20, p beta:2,38 (mean 0.05), epsilon 1,")
    text = page.read_text(encoding="utf-8")
    assert "n 20, p beta:2,38 (mean 0.05), epsilon 1," in text
    assert "or one drawn from the distribution given" in text
    assert text.count("<svg") == 1
    assert "Mean absolute errors over epsilon" in text
    assert "<code>mechdesign count errors --n=20 --p=beta:2,38 --epsilon=1</code>" in text


RELEASE = ("release", "--true-count", "34", "--n", "100", "--epsilon", "0.1")


def test_a_release_goes_on_to_the_posterior() -> None:
    status, out, err = run("count", *RELEASE)
    answer, law, asked = out.splitlines()
    assert (status, err) == (0, "")
    assert law == "0.1-private: geometric noise of mean size 9.98335."
    before, after = asked.split(" P ")
    assert before == "What it says of the true count: mechdesign count posterior --n 100 --p"
    words = f"--p 0.3 {after}".split()
    assert words[-1] == f"--answer={answer}"
    status, out, _ = run("count", "posterior", "--n", "100", *words, "--json")
    assert (status, json.loads(out)["naive"]) == (0, int(answer))


def test_a_release_in_json() -> None:
    status, out, err = run("count", *RELEASE, "--seed-not-for-release", "3", "--json")
    assert (status, err, out.count("\n")) == (0, "", 1)
    assert (
        json.loads(out).items()
        >= {
            "answer": release(34, 100, "0.1", seed_not_for_release=3),
            "n": 100,
            "epsilon": 0.1,
            "epsilon_exact": "0.1",
            "noise": "geometric",
            "mean_noise": pytest.approx(9.98335275729611),
            "for_release": False,
        }.items()
    )
    assert json.loads(run("count", *RELEASE, "--json")[1])["for_release"]


def test_a_design_that_costs_nothing_may_be_noisy(tmp_path: Path) -> None:
    """Only a count of 0 has weight: 0 is reported whatever the count."""
    path = str(tmp_path / "count.json")
    assert run("graph", "counting", "2", "--p", "0", "-o", path).status == 0
    said = run("design", path, "--epsilon", "1", "--objective", "expected-loss")
    assert said.status == 0
    assert "this mechanism costs nothing" in said.out
