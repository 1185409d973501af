"""`mechdesign count`: what it prints, its exit statuses, and bad input."""

import json
from pathlib import Path

import pytest
from command import done, run

from mechdesign.reports import count_plots

POINT = ("--n", "100", "--p", "0.3", "--epsilon", "0.1")


@pytest.fixture
def few_points(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compute the ends of each curve, and three points between."""
    monkeypatch.setattr(count_plots, "EPSILONS", 5)


@pytest.mark.usefixtures("few_points")
@pytest.mark.parametrize(
    "command", [("posterior", "--answer=45.3"), ("posterior", "--answer=900"), ("errors",)], ids=lambda words: words[-1]
)
def test_pictures(tmp_path: Path, command: tuple[str, ...]) -> None:
    path = tmp_path / "picture.png"
    p = "0" if "--answer=900" in command else "0.3"
    done("count", *command, "--n", "20", "--p", p, "--epsilon", "0.5", "--plot", str(path))
    assert path.read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
@pytest.mark.usefixtures("few_points")
@pytest.mark.parametrize(("n", "epsilon"), [("20", "1e-70"), ("20", "300"), ("204081", "700")])
def test_pictures_within_what_errors_take(tmp_path: Path, n: str, epsilon: str) -> None:
    path = tmp_path / "picture.svg"
    done("count", "errors", "--n", n, "--p", "1e-6", "--epsilon", epsilon, "--plot", str(path))
    assert path.exists()


def test_picture_of_a_large_count(tmp_path: Path) -> None:
    """A picture of every count takes minutes."""
    path = tmp_path / "picture.svg"
    point = ("--n", "10000000000", "--p", "0.5", "--epsilon", "1e-5", "--answer=5000000000")
    done("count", "posterior", *point, "--plot", str(path))
    assert path.stat().st_size < 10**6


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
