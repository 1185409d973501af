"""Linked queries: [SM] Table 4."""

import math
from typing import Any

import pytest

from mechdesign import InputError
from mechdesign.audit import linked_query


def test_the_other_way_round_is_the_inverse() -> None:
    there = linked_query([1, 2, 9], wanted="sum", answered="mean", epsilon=1)
    back = linked_query([1, 2, 9], wanted="mean", answered="sum", epsilon=1)
    assert there.factor * back.factor == 1
    assert back.effective_scale == there.wanted.scale / 3
    assert linked_query([1, 2, 9], wanted="max", answered="max", epsilon=1).effective_epsilon == 1


def test_a_factor_of_ones_own() -> None:
    linked = linked_query([1, 2, 9], wanted="max", answered="median", epsilon=1, factor="-1/2")
    assert linked.effective_scale == linked.answered.scale / 2


def test_no_noise_is_an_infinite_epsilon() -> None:
    linked = linked_query([4, 4, 4], wanted="sum", answered="mean", epsilon=1)
    assert linked.effective_scale == 0
    assert linked.effective_epsilon == math.inf


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"answered": "median"}, "turns the median into the sum"),
        ({"answered": "median", "factor": 0}, "other than 0"),
        ({"factor": 2}, "factor: the sum is 3 x the mean, found 2"),
        ({"answered": "median", "factor": "x"}, "factor"),
        ({"answered": "mode"}, "query"),
        ({"epsilon": 0}, "epsilon"),
    ],
)
def test_bad_input(options: dict[str, Any], message: str) -> None:
    arguments: dict[str, Any] = {"wanted": "sum", "answered": "mean", "epsilon": 1} | options
    with pytest.raises(InputError, match=message):
        linked_query([1, 2, 3], **arguments)
