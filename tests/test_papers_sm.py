"""[SM]: what is misprinted is derived here a second time."""

from mechdesign.papers import RESULTS


def test_misprint_of_table_3() -> None:
    row = next(one for one in RESULTS["sm-table-3"]().rows if one.what == "p1/p3, last observation 40")
    assert (row.published, row.reference) == ("5239083064", "5239075290.89")
    assert float(row.computed) < 5239083064 - 7000
    assert round(2**51 / 429808) == 5239083064  # what 1 - F in doubles can give
