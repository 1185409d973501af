"""`mechdesign compose`: what it prints, its JSON, exit statuses, and bad input."""

import json
import math
from pathlib import Path

import pytest
from command import run

Captured = pytest.CaptureFixture[str]


def test_text(designed: dict[str, Path]) -> None:
    path = str(designed["mechanism"])
    line = ("compose", path, "--graph", "categorical-chain", "--epsilon", "0.5", "--releases", "20", "--delta", "1e-6")
    status, out, err = run(*line)
    assert (status, err) == (0, "")
    first, second, *_ = out.splitlines()
    last = " ".join(out.split())
    assert first == "Each release satisfies epsilon 0.5 at delta 5e-08, its share."
    assert second.startswith("All 20 releases together satisfy epsilon 7.95")
    assert "and none below about 7.9" in out
    assert "By basic composition: epsilon 10.0. On the edges of categorical-chain: 2 of 3 pairs of profiles; " in last
    assert last.endswith("for the other epsilon 15.9096, delta 0.00286 follows along paths.")


def test_json(designed: dict[str, Path]) -> None:
    path = str(designed["mechanism"])
    line = ("compose", path, "--graph", "categorical-chain", "--epsilon", "1/2", "--releases", "3", "--json")
    status, out, _ = run(*line)
    found = json.loads(out)
    assert (status, found["delta"], found["basic_epsilon"], found["basic_epsilon_exact"]) == (0, 0.0, 1.5, "1.5")
    assert found["epsilon_lower"] <= found["epsilon"] <= 1.5
    assert found["epsilon"] == pytest.approx(1.5)
    assert (found["exact"], found["private"], found["releases"]) == (True, True, 3)
    assert found["worst"] in (["P1", "P2"], ["P2", "P3"])


def test_a_claim_that_does_not_hold(coin: str) -> None:
    status, out, _ = run("compose", coin, "--epsilon", "1", "--releases", "2")
    assert status == 1
    assert out.startswith(
        "Each release does NOT satisfy epsilon 1 at delta 0.\nAll 2 releases together satisfy epsilon 2.19"
    )
    found = json.loads(run("compose", coin, "--epsilon", "1", "--releases", "2", "--json")[1])
    assert (found["private"], found["basic_epsilon_exact"]) == (False, None)
    assert found["basic_epsilon"] == pytest.approx(2 * math.log(3))


def test_several_mechanisms(coin: str, tmp_path: Path) -> None:
    other = tmp_path / "other.csv"
    other.write_text("2/3,1/3\n1/3,2/3\n")
    found = json.loads(run("compose", coin, str(other), "--releases", "2,1", "--json")[1])
    assert found["epsilon"] == pytest.approx(math.log(3 * 3 * 2))
    assert found["mechanisms"] == [coin, str(other)]
    found = json.loads(run("compose", coin, str(other), "--parallel", "--json")[1])
    assert found["epsilon"] == pytest.approx(math.log(3))
    assert "By the largest of them: epsilon 1.09" in run("compose", coin, str(other), "--parallel")[1]


def test_one_release(coin: str) -> None:
    out = run("compose", coin)[1]
    assert out.startswith(
        "The release satisfies epsilon 1.0986122886681098 at delta 0, and none below 1.09861228866810"
    )


def test_no_epsilon(tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text("1,0\n0,1\n")
    status, out, _ = run("compose", str(tmp_path / "m.csv"), "--releases", "2")
    assert status == 0
    assert "satisfy no epsilon at delta 0: 0 against 1 can be told apart" in out
    assert "By basic composition: epsilon inf." in out
    found = json.loads(run("compose", str(tmp_path / "m.csv"), "--json")[1])
    assert (found["epsilon"], found["basic_epsilon"]) == (None, None)


def test_without_edges(tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text("1,0\n")
    assert run("compose", str(tmp_path / "m.csv"))[1] == "There are no edges, so nobody is protected.\n"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--releases", "x"], "--releases: expected a whole number, or one for each MECHANISM as 3,2; found 'x'"),
        (["--releases", "0"], "releases: expected a whole number from 1 to 1,000,000, found 0"),
        (["--releases", "1,2"], "releases: expected one number, or one for each of 1 mechanisms, found 2"),
        (["--releases", "9" * 5_000], "--releases: expected a whole number"),
        (["--epsilon", "-1"], "epsilon: expected a number >= 0"),
        (["--delta", "1"], "delta: expected a number in [0, 1)"),
        (["--graph", "categorical-chain"], "expected 4 rows"),
        (["--together", "50%"], "--together: expected a number >= 0 (in nats) or inf, found '50%'"),
        (["none.json"], "none.json"),
    ],
)
def test_refused(coin: str, options: list[str], words: str) -> None:
    status, out, err = run("compose", coin, *options)
    assert (status, out) == (2, "")
    assert words in err


def test_mechanisms_of_other_profiles(coin: str, designed: dict[str, Path]) -> None:
    status, _, err = run("compose", coin, str(designed["mechanism"]))
    assert status == 2
    assert "mechanism 2: expected the profiles of the first" in err


@pytest.mark.parametrize(
    ("claim", "status", "words"),
    [
        (["--together", "2"], 1, "Claimed: epsilon 2 of all together, at delta 0. It does NOT hold."),
        (["--together", "2.2"], 0, "Claimed: epsilon 2.2 of all together, at delta 0. It holds."),
        (["--together", "2.2", "--epsilon", "1"], 1, "It holds."),  # but each does not satisfy 1
        (["--together", "2.2", "--epsilon", "1.1"], 0, "It holds."),
        (["--together", "2", "--delta", "0.11"], 0, "at delta 0.11. It holds."),
    ],
)
def test_a_claim_about_all_together(coin: str, claim: list[str], status: int, words: str) -> None:
    line = ("compose", coin, "--releases", "2", *claim)
    found, out, _ = run(*line)
    assert found == status
    assert " ".join(out.split()).endswith(words)
    answer = json.loads(run(*line, "--json")[1])
    assert answer["private_together"] is (words != "Claimed: epsilon 2 of all together, at delta 0. It does NOT hold.")
    assert answer["claimed_together"] == claim[1]


def test_a_claim_between_the_bounds(coin: str) -> None:
    line = ("compose", coin, "--releases", "300", "--delta", "1e-6")
    found = json.loads(run(*line, "--json")[1])
    between = (found["epsilon"] + found["epsilon_lower"]) / 2
    status, out, _ = run(*line, "--together", repr(between))
    assert status == 3
    assert " ".join(out.split()).endswith("That is between what is proved and what is refuted: neither.")
    assert json.loads(run(*line, "--together", repr(between), "--json")[1])["private_together"] is None
    assert " ".join(run(*line, "--together", "100")[1].split()).endswith("NOT hold, as computed in doubles.")


def test_it_names_the_releases_that_fail_a_claim(coin: str, tmp_path: Path) -> None:
    other = tmp_path / "other.csv"
    other.write_text("2/3,1/3\n1/3,2/3\n")
    out = run("compose", str(other), coin, "--epsilon", "1")[1]
    assert " ".join(out.split()).startswith(f"Not each release satisfies epsilon 1 at delta 0: {coin} does NOT.")
    assert json.loads(run("compose", str(other), coin, "--epsilon", "1", "--json")[1])["refuted"] == [1]


def test_it_says_that_a_matrix_was_normalised(tmp_path: Path) -> None:
    (tmp_path / "vendor.csv").write_text("0.333,0.333,0.333\n0.5,0.25,0.25\n")
    line = ("compose", str(tmp_path / "vendor.csv"), "--releases", "2", "--normalise")
    out = " ".join(run(*line)[1].split())
    assert out.startswith(
        "What follows holds for the normalised matrix, not for the one given: 1 of 2 rows, those of 0,"
    )
    assert json.loads(run(*line, "--json")[1])["matrices"][0]["normalised"]["rows"] == 1


def test_a_matrix_of_few_decimals_is_doubted_where_its_claim_holds(tmp_path: Path) -> None:
    path = tmp_path / "vendor.csv"
    path.write_text("0.7311,0.2689\n0.2689,0.7311\n")
    words = "The numbers have 4 decimals. A matrix that rounds to them may fail all the same, here by up to"
    for epsilon, said in (("1.0003", True), ("1.01", False)):
        out = " ".join(run("compose", str(path), "--epsilon", epsilon)[1].split())
        assert (words in out) is said
