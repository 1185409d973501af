"""How many faults a message says there are: lines beside them, such as their likely cause, are none."""

import re
from typing import Any

import numpy as np
import pytest

import mechdesign as md
from mechdesign.errors import InputError, Remark


def message(call: Any, *arguments: Any, **options: Any) -> str:
    with pytest.raises(InputError) as error:
        call(*arguments, **options)
    return str(error.value)


def test_the_likely_cause_is_no_fault() -> None:
    counts = np.array([[3, 4], [5, 6], [7, 8], [1, 2], [9, 1], [2, 2]])
    said = message(md.mechanism_from_matrix, counts)
    assert said.startswith("6 faults\n  these are counts, not probabilities")
    assert len(re.findall("expected a total of 1", said)) == 6
    said = message(md.profile_graph, {"a": [50, 50]}, edges=[], categories=[0, 1])
    assert said.startswith("1 fault\n  totals are 100: these are percentages; divide them by 100\n  nodes[0]")


def test_those_that_are_not_listed_count() -> None:
    said = str(InputError([f"line {n}" for n in range(20)], source="x.csv"))
    assert said.startswith("x.csv: 20 faults\n  line 0\n  line 1\n")
    assert said.endswith("line 11\n  and 8 more")
    both = InputError(["a", Remark("and 8 more", 8), *["b"] * 20])
    assert str(both).startswith("29 faults\n")
    assert str(both).endswith("  b\n  and 10 more")


def test_faults_are_told_in_other_words_and_remarks_are_not() -> None:
    error = InputError([Remark("a cause"), "row 3: none", Remark("and 4 more", 4)])
    assert InputError(error.told("edges: ", "!")).faults == ["a cause", "edges: row 3: none!", "and 4 more"]
    assert str(InputError(error.told("edges: "))).startswith("5 faults\n")
