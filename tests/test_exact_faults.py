"""Numbers within limits: one message for each that is none."""

from typing import Any

import pytest

from mechdesign.errors import InputError
from mechdesign.exact.faults import Faults
from mechdesign.exact.numbers import number, parse_entry


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
