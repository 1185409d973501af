"""Numbers within limits: one message for each that is none."""

import json
import re
from collections.abc import Callable
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


FLAGS: dict[str, tuple[Callable[..., Any], list[str]]] = {
    "design": (
        lambda **given: md.design(couplet(epsilon=1), epsilon=1, **given),
        ["shared", "any_optimum", "scale_own", "nominal", "keep_shares"],
    ),
    "sweep": (
        lambda **given: md.sweep(couplet(epsilon=1), 1, **given),
        ["shared", "any_optimum", "scale_own", "nominal", "keep_shares"],
    ),
    "smallest_epsilon": (
        lambda **given: md.smallest_epsilon(couplet(epsilon=1), "0.5", **given),
        ["shared", "any_optimum", "scale_own", "nominal", "keep_shares"],
    ),
    "certify": (lambda **given: md.certify(COIN, epsilon=1, **given), ["nominal", "all_pairs"]),
    "mend": (lambda **given: md.mend(COIN, epsilon=1, **given), ["any_optimum", "doubles", "all_pairs"]),
    "plan_rows": (lambda **given: md.plan_rows(COIN, "0.1", **given), ["these_rows"]),
    "compose": (lambda **given: md.compose(COIN, releases=2, **given), ["parallel", "all_pairs"]),
    "estimate": (lambda **given: md.estimate(COIN, [0, 0, 1], **given), ["these_rows", "simultaneous"]),
}


@pytest.mark.parametrize(("call", "names"), FLAGS.values(), ids=FLAGS)
def test_an_option_that_is_neither_true_nor_false_is_refused(call: Callable[..., Any], names: list[str]) -> None:
    """Python takes "no" for true; what numpy has for booleans, and 0 and 1, are taken as such."""
    for name in names:
        for right in (np.True_, 1, None):
            json.dumps(as_json(call(**{name: right}).answer()))
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
