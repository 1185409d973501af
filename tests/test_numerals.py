"""Numbers with decimal commas: read exactly where nothing else can be meant, refused where thousands may be."""

import pytest
from command import faults_of

from mechdesign import InputError
from mechdesign.files.numerals import with_decimal_points


@pytest.mark.parametrize(
    ("cells", "read"),
    [
        (["0,3", "0,7"], ["0.3", "0.7"]),
        (["-1,5e-3", ",5", "2"], ["-1.5e-3", ".5", "2"]),
        (["1,000", "0,000"], ["1.000", "0.000"]),  # 0,000 can be no thousands
        (["1,234", "12,3"], ["1.234", "12.3"]),
        (["0.3", "1/2", "no, or yes"], ["0.3", "1/2", "no, or yes"]),
    ],
)
def test_read(cells: list[str], read: list[str]) -> None:
    found, commas = with_decimal_points([cells], lambda i, j: f"cell {j}")
    assert (found, commas) == ([read], read != cells)


@pytest.mark.parametrize(
    ("cells", "fault"),
    [
        (["1,234", "5"], "cell 0: '1,234' may be 1.234 or 1234; write the one that is meant"),
        (["0,5", "1.234,5"], "cell 1: found '1.234,5'; write numbers without separators of thousands"),
        (["1,234,567"], "cell 0: found '1,234,567'; write numbers without separators of thousands"),
        (["1,234.5"], "cell 0: found '1,234.5'; write numbers without separators of thousands"),
        (["0,5", "0.5"], "cell 0: a decimal comma in '0,5', but a point in '0.5' (cell 1); write all in one way"),
    ],
)
def test_not_clear(cells: list[str], fault: str) -> None:
    assert faults_of(with_decimal_points, [cells], lambda i, j: f"cell {j}") == [fault]


def test_many_are_named_once() -> None:
    with pytest.raises(InputError) as caught:
        with_decimal_points([["1,234"] * 1600], lambda i, j: f"cell {j}")
    assert len(caught.value.faults) == 1600
    assert str(caught.value).endswith("\n  and 1588 more")
