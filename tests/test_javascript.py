"""Mechanisms as ES modules, under node: the exact law, on given bits and on the platform's own; what is refused."""

import json
import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, chain, repeat
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from node import run_node
from scipy.stats import chisquare

import mechdesign as md
from mechdesign import InputError, Mechanism
from mechdesign.mechanism.mechanism_file import digest
from mechdesign.release.javascript import javascript_module
from mechdesign.release.sampling import Sampler

ON_GIVEN_BITS = """
import { readFileSync } from "node:fs";
import { sanitise } from "./module.mjs";
let left = [];
const getRandomValues = (bytes) => {
  if (left.length < bytes.length) throw new Error("more bits than were given");
  bytes.set(left.splice(0, bytes.length));
  return bytes;
};
Object.defineProperty(globalThis, "crypto", { value: { getRandomValues } });
const drawn = JSON.parse(readFileSync(0)).map(({ value, profile, bytes }) => {
  left = [...bytes];
  return [sanitise(value, profile), bytes.length - left.length];
});
console.log(JSON.stringify(drawn));
"""
ON_ITS_OWN_BITS = """
import { readFileSync } from "node:fs";
import { sanitise } from "./module.mjs";
const { value, profile, draws } = JSON.parse(readFileSync(0));
console.log(JSON.stringify(Array.from({ length: draws }, () => sanitise(value, profile))));
"""
ASKED = """
import { sanitise, MECHANISM } from "./module.mjs";
const attempts = ATTEMPTS;
const told = attempts.map((attempt) => {
  try {
    return [attempt()];
  } catch (error) {
    return error instanceof RangeError ? error.message : error.constructor.name;
  }
});
console.log(JSON.stringify([told, MECHANISM]));
"""


def program(folder: Path, mechanism: Mechanism, text: str) -> Path:
    """Write the mechanism's module and a program beside it."""
    (folder / "module.mjs").write_text(javascript_module(mechanism), encoding="utf-8")
    path = folder / "program.mjs"
    path.write_text(text, encoding="utf-8")
    return path


def asked(folder: Path, mechanism: Mechanism, *attempts: str) -> tuple[list[Any], dict[str, Any]]:
    """Return what each attempt returned, in a list, or the message of its RangeError; and the export MECHANISM."""
    written = ASKED.replace("ATTEMPTS", f"[{', '.join(f'() => {attempt}' for attempt in attempts)}]")
    told, about = run_node(program(folder, mechanism, written), None)
    return told, about


def drawn(row: Sequence[Fraction], stream: Iterator[int]) -> tuple[int, int]:
    """Return the output's position, and how many bytes it took: the law in words, in rationals."""
    thresholds = list(accumulate(row))
    u, taken = 0, 0
    for count in chain((2, 6), repeat(8)):
        for _ in range(count):
            u, taken = u * 256 + next(stream), taken + 1
        low, high = Fraction(u, 256**taken), Fraction(u + 1, 256**taken)
        if not any(low < threshold < high for threshold in thresholds):
            return sum(threshold <= low for threshold in thresholds), taken
    raise AssertionError


def streams(row: Sequence[Fraction], generator: random.Random) -> Iterator[bytes]:
    """Yield bytes: at random; and those that begin as a threshold does, to 2, 8, 16 and 24 bytes, or just below."""
    for _ in range(30):
        yield generator.randbytes(40)
    for threshold in accumulate(row):
        for count in (2, 8, 16, 24):
            for below in (0, 1):
                units = threshold.numerator * 256**count // threshold.denominator - below
                if 0 <= units < 256**count:
                    yield units.to_bytes(count, "big") + generator.randbytes(40 - count)
                    yield units.to_bytes(count, "big") + bytes(40 - count)


class GivenBits:
    """Gives the sampler of Python the bits of a stream: 16, then 48 at the upper end of a word, then 64 at a time."""

    def __init__(self, stream: bytes) -> None:
        self.parts = [stream[:2], stream[2:8] + b"--", *(stream[i : i + 8] for i in range(8, len(stream), 8))]

    def words(self, count: int, kind: type[np.unsignedinteger[Any]]) -> npt.NDArray[Any]:
        assert count == 1
        return np.array([int.from_bytes(self.parts.pop(0), "big")], kind)


MECHANISMS = {
    "coin": md.mechanism_from_matrix([["3/4", "1/4"], ["1/4", "3/4"]], inputs=["no", "yes"]),
    "thirds and zeros": md.mechanism_from_matrix(
        [["0", "1/3", "0", "2/3", "0"], ["1/7", "0", "0", "0", "6/7"], ["0", "0", "1", "0", "0"]],
        inputs=["a", "b", "c"],
    ),
    "long weights": md.mechanism_from_matrix([["1e-40", "1/2", f"0.4{'9' * 39}"]]),
    "doubles": md.mechanism_from_matrix([[0.1, 0.2, 0.7], [0.3, 0.3, 0.4]]),
    "designed": md.design("categorical-chain", epsilon=0.5).mechanism,
    "pairs of labels": md.design(md.value_graph([(0, 1), (1, 0)]), epsilon=1).mechanism,
}


@pytest.mark.parametrize("mechanism", MECHANISMS.values(), ids=MECHANISMS)
def test_on_the_same_bits_it_draws_what_rationals_draw(tmp_path: Path, mechanism: Mechanism) -> None:
    generator, sampler = random.Random(7), Sampler(mechanism.rows)
    given, expected = [], []
    for profile in mechanism.profiles:
        for value in mechanism.categories:
            row = mechanism.row(profile, value)
            for stream in streams(row, generator):
                given.append({"value": value, "profile": profile, "bytes": list(stream)})
                y, taken = drawn(row, iter(stream))
                expected.append([mechanism.outputs[y], taken])
                which = mechanism.index[mechanism.serving(profile), [mechanism.categories.index(value)]]
                assert sampler.draw(which, GivenBits(stream)).tolist() == [y]
    found = run_node(program(tmp_path, mechanism, ON_GIVEN_BITS), given)
    assert found == json.loads(json.dumps(expected))
    lengths = {taken for _, taken in expected}
    assert (lengths == {2}) == (mechanism is MECHANISMS["coin"])  # else 16 bits do not always decide


def test_on_its_own_bits_it_has_the_law(tmp_path: Path) -> None:
    """Were the law right, this would fail once in a thousand million times."""
    mechanism, draws = MECHANISMS["designed"], 60_000
    row = mechanism.row("P3", "4")
    path = program(tmp_path, mechanism, ON_ITS_OWN_BITS)
    found = run_node(path, {"value": "4", "profile": "P3", "draws": draws})
    counts = [found.count(output) for output in mechanism.outputs]
    assert sum(counts) == draws
    assert chisquare(counts, [float(p * draws) for p in row]).pvalue > 1e-9


def test_what_is_unknown_throws_and_is_not_repeated(tmp_path: Path) -> None:
    values = ('"9"', "1", "undefined", "null", "NaN", '["1"]', "{}", '"__proto__"', "1n")
    told, _ = asked(tmp_path, MECHANISMS["designed"], *(f'sanitise({value}, "P1")' for value in values))
    expected = "unknown value: expected one of the 4 in MECHANISM.categories"
    assert told == [*[expected] * (len(values) - 1), "TypeError"]
    told, _ = asked(tmp_path, MECHANISMS["designed"], 'sanitise("1")', 'sanitise("1", "P9")', 'sanitise("1", "P1")')
    assert told == [*["unknown profile: expected one of the 3 in MECHANISM.profiles"] * 2, ["1"]]


def test_that_labels_are_numbers_is_said_of_their_text(tmp_path: Path) -> None:
    ratings = md.k_ary([1, 2, 3], epsilon=1)
    told, _ = asked(tmp_path, ratings, 'sanitise("3")', 'sanitise("4")', "sanitise(4)")
    unknown = "unknown value: expected one of the 3 in MECHANISM.categories"
    assert told == [f"{unknown}, which are numbers, not text", unknown, unknown]


def test_it_says_which_mechanism_it_is(tmp_path: Path) -> None:
    mechanism = MECHANISMS["designed"]
    _, about = asked(tmp_path, mechanism)
    assert about.pop("madeBy") == f"mechdesign {md.__version__}"
    assert about == {
        "digest": digest(mechanism),
        "epsilon": "1/2",
        "delta": "0",
        "epsilonPerDistance": None,
        "unit": None,
        "profiles": ["P1", "P2", "P3"],
        "categories": ["1", "2", "3", "4"],
        "outputs": ["1", "2", "3", "4"],
    }


def test_its_limits_are_the_largest_of_any_edge(tmp_path: Path) -> None:
    own = ("a", "b", {"epsilon": 3, "delta": "0.02"})
    graph = md.profile_graph({"a": ["1/2", "1/2"], "b": ["1/3", "2/3"]}, edges=[own], categories=["no", "yes"])
    _, about = asked(tmp_path, md.design(graph, epsilon="0.3").mechanism)
    assert (about["epsilon"], about["delta"]) == ("3", "0.02")


def test_it_cannot_be_changed(tmp_path: Path) -> None:
    changes = ("MECHANISM.outputs.push(1)", 'MECHANISM.outputs[0][0] = "x"', "MECHANISM.digest = 1")
    told, _ = asked(tmp_path, MECHANISMS["pairs of labels"], *changes)
    assert told == ["TypeError"] * 3


def test_labels_of_every_kind_come_back(tmp_path: Path) -> None:
    hard = ["</script>", 'quote" and \\', "line\nend", "\u2028", "Käse", "😀", "*/", ""]
    labels: list[Any] = [*hard, 3, -1, 2**53 - 1, (1, ("a", 2))]
    identity = [[int(i == j) for j in range(len(labels))] for i in range(len(labels))]
    mechanism = md.mechanism_from_matrix(identity, inputs=labels)
    assert "</script" not in javascript_module(mechanism)
    told, _ = asked(tmp_path, mechanism, *(f"sanitise({json.dumps(label)})" for label in labels))
    assert told == [[label] for label in json.loads(json.dumps(labels))]


@pytest.mark.parametrize("label", [2**53, -(2**53), (1, (2, 2**60))])
def test_a_number_that_javascript_has_not_is_refused(label: Any) -> None:
    with pytest.raises(InputError, match="JavaScript's numbers do not hold"):
        javascript_module(md.mechanism_from_matrix([[1]], inputs=[label]))


def test_what_is_no_mechanism_is_refused() -> None:
    with pytest.raises(InputError, match="expected a Mechanism, found list"):
        javascript_module([[1, 0], [0, 1]])  # type: ignore[arg-type]
