"""Numbers within limits: one message for each that is none."""

import json
import re
import tempfile
from collections.abc import Callable
from inspect import isfunction, signature
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

import mechdesign as md
from mechdesign.errors import InputError
from mechdesign.exact.faults import Faults
from mechdesign.exact.numbers import number, parse_entry
from mechdesign.show.as_json import as_json

COIN = [["3/4", "1/4"], ["1/4", "3/4"]]


def couplet(**own: object) -> nx.Graph:
    """Return two profiles with an edge of its own."""
    return md.profile_graph({"a": ["0.1", "0.9"], "b": ["0.3", "0.7"]}, edges=[("a", "b", own)], categories=[0, 1])


def reported(**given: Any) -> None:
    with tempfile.TemporaryDirectory() as folder:
        md.report(md.mechanism_from_matrix(COIN), path=Path(folder) / "page.html", **given)


def sanitised(**given: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        matrix, data, output = (str(Path(folder) / name) for name in ("matrix.csv", "data.csv", "output.csv"))
        Path(matrix).write_text("0.75,0.25\n0.25,0.75\n", encoding="utf-8")
        Path(data).write_text("v\n0\n1\n", encoding="utf-8")
        return md.sanitise_file(matrix, data, output, value="v", seed_not_for_release=1, **given)


DESIGNED = ["shared", "any_optimum", "scale_own", "nominal", "keep_shares"]
TABLE = {"who": ["a", "a", "b", "b"], "what": [0, 1, 0, 1]}
KNOWN: dict[str, Any] = {"profile": "who", "value": "what", "categories": [0, 1], "profiles": ["a", "b"]}
UNIT = [["0", "-1"], ["-1", "0"]]

FLAGS: dict[str, tuple[Callable[..., Any], list[str]]] = {
    "design": (lambda **given: md.design(couplet(epsilon=1), epsilon=1, **given), DESIGNED),
    "sweep": (lambda **given: md.sweep(couplet(epsilon=1), 1, **given), DESIGNED),
    "smallest_epsilon": (lambda **given: md.smallest_epsilon(couplet(epsilon=1), "0.5", **given), DESIGNED),
    "suggest_noise": (
        lambda **given: md.suggest_noise(couplet(), 2, records=100, confidence="0.9", **given),
        ["public_sizes", "shared"],
    ),
    "formula": (lambda **given: md.formula(couplet(), **given), ["shared", "nominal"]),
    "formula, of edges' own": (
        lambda **given: md.formula(couplet(epsilon=1) if given["scale_own"] else couplet(), **given),
        ["scale_own"],
    ),
    "two_profiles": (lambda **given: md.two_profiles([1, 0], [0, 1], ratio=3, **given), ["shared"]),
    "two_profiles_hamming": (lambda **given: md.two_profiles_hamming([1, 0], [0, 1], ratio=3, **given), ["shared"]),
    "private_exponential": (lambda **given: md.private_exponential(couplet(), UNIT, epsilon=1, **given), ["tight"]),
    "certify": (lambda **given: md.certify(COIN, epsilon=1, **given), ["nominal", "all_pairs"]),
    "tight_epsilons": (lambda **given: md.tight_epsilons(COIN, **given), ["nominal", "all_pairs"]),
    "privacy_curve": (
        lambda **given: md.privacy_curve(COIN, couplet(epsilon=1), [1], **given),
        ["scale_own", "nominal", "all_pairs"],
    ),
    "evidence": (lambda **given: md.evidence(COIN, epsilon=2, **given), ["nominal", "all_pairs"]),
    "check_certificate": (
        lambda **given: md.check_certificate(md.evidence(COIN, epsilon=2)[1], **given),
        ["all_pairs"],
    ),
    "compare_with_optimal_product": (
        lambda **given: md.compare_with_optimal_product(md.mechanism_from_matrix(COIN), epsilon=2, **given),
        ["all_pairs"],
    ),
    "mend": (lambda **given: md.mend(COIN, epsilon=1, **given), ["any_optimum", "doubles", "all_pairs"]),
    "mechanism_from_matrix": (lambda **given: md.mechanism_from_matrix(COIN, **given), ["normalise"]),
    "profile_graph": (
        lambda **given: md.profile_graph({"a": [1, 0], "b": [0, 1]}, edges=[], categories=[0, 1], **given),
        ["ordered"],
    ),
    "graph_from_table": (
        lambda **given: md.graph_from_table(TABLE, **KNOWN, **given),
        ["public", "weigh_by_count", "ordered"],
    ),
    "graph_from_table, noised": (
        lambda **given: md.graph_from_table(TABLE, noise=100, confidence="0.9", **KNOWN, **given),
        ["public_sizes"],
    ),
    "report": (reported, ["all_pairs"]),
    "plot_curve": (lambda **given: md.plot_curve([(1.0, 0.0, 0.0)], **given), ["of_own"]),
    "plot_utility": (lambda **given: md.plot_utility([(1.0, 0.0, None)], "loss", **given), ["of_own"]),
    "citation": (md.citation, ["bibtex"]),
    "sanitise": (lambda **given: md.sanitise(md.mechanism_from_matrix(COIN), [0, 1], **given), ["keep_anyway"]),
    "sanitise_batches": (
        lambda **given: list(md.sanitise_batches(md.mechanism_from_matrix(COIN), [], value="v", **given)),
        ["keep_anyway"],
    ),
    "sanitise_file": (sanitised, ["normalise", "keep_anyway"]),
    "plan_rows": (lambda **given: md.plan_rows(COIN, "0.1", **given), ["these_rows"]),
    "compose": (lambda **given: md.compose(COIN, releases=2, **given), ["parallel", "all_pairs"]),
    "estimate": (lambda **given: md.estimate(COIN, [0, 0, 1], **given), ["these_rows", "simultaneous"]),
}


def test_every_option_that_is_true_or_false_is_among_them() -> None:
    public = {name: one for name in md.__all__ if isfunction(one := getattr(md, name))}
    found = {
        name: {key for key, option in signature(one).parameters.items() if option.annotation in (bool, bool | None)}
        for name, one in public.items()
    }
    tried = dict[str, set[str]]()
    for name, (_, options) in FLAGS.items():
        tried.setdefault(name.split(",")[0], set()).update(options)
    assert tried == {name: options for name, options in found.items() if options}


@pytest.mark.parametrize(("call", "names"), FLAGS.values(), ids=FLAGS)
def test_an_option_that_is_neither_true_nor_false_is_refused(call: Callable[..., Any], names: list[str]) -> None:
    """Python takes "no" for true; what numpy has for booleans, and 0 and 1, are taken as such."""
    for name in names:
        for right in (np.True_, 1, None):
            found = call(**{name: right})
            if hasattr(found, "answer"):
                json.dumps(as_json(found.answer()))
        others: list[object] = ["no", 2, []]
        for wrong in others:
            with pytest.raises(InputError, match=f"^{name}: expected True or False, found {re.escape(repr(wrong))}$"):
                call(**{name: wrong})


@pytest.mark.parametrize(
    ("value", "limits", "message"),
    [
        ("x", {"at_least": 0}, "share: expected a number such as 0.3 or \"3/10\", found 'x'"),
        ("-1/2", {"at_least": 0}, "share: expected a number >= 0, found -0.5"),
        ("-1/2", {"at_least": 0, "expected": "a share"}, "share: expected a share, found '-1/2'"),
        ("x", {"expected": "a share", "beside": "; or none"}, "share: expected a share, found 'x'; or none"),
        (0, {"above": 0, "outside": "a number > 0"}, "share: expected a number > 0, found 0"),
        (1, {"below": 1, "outside": "a number < 1", "beside": "!"}, "share: expected a number < 1, found 1!"),
        (2, {"at_most": 1, "expected": "a share"}, "share: expected a share, found 2"),
        (float("nan"), {"parse": parse_entry}, 'share: expected a number such as 0.3 or "3/10", found nan'),
    ],
)
def test_what_is_none_is_refused(value: Any, limits: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        number("share", value, **limits)
    assert str(caught.value) == message
    faults = Faults()
    assert faults.number("share", value, **limits) == 1
    assert faults == [message]


def test_limits_belong_to_it_or_not() -> None:
    assert [number("share", value, at_least=0, at_most=1) for value in (0, 1)] == [0, 1]


def test_faults_are_raised_together() -> None:
    faults = Faults(["one", "two"])
    Faults().check()
    with pytest.raises(InputError) as caught:
        faults.check()
    assert caught.value.faults == ["one", "two"]
