"""By which rule the data are read that a mechanism is applied to: that of the graph it was made for, unless told."""

from collections.abc import Iterable
from dataclasses import replace
from typing import TypedDict, Unpack

from mechdesign.errors import InputError
from mechdesign.exact.text import shown
from mechdesign.graph.cell_labels import MISSING as NAMED_MISSING
from mechdesign.graph.from_table import Missing, Reading
from mechdesign.graph.labels import Label, Labels
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.release.codebook import MISSING, UNKNOWN, Codebook
from mechdesign.release.left_out import LeftOut


class Rule(TypedDict, total=False):
    """What a caller says of the rule, as in `graph_from_table`."""

    missing: str
    missing_profile: str
    missing_words: Iterable[str]
    others: Label


def columns_read(
    mechanism: Mechanism, value: str, profile: str | None, *, drop: bool, **rule: Unpack[Rule]
) -> list[LeftOut]:
    """Return the columns of labels that `sanitise` reads: of the value, and of the profile if it is named.

    With `drop` what is none of the labels, or missing where that is none, may be left out.

    Raises
    ------
    InputError
        if the rule asks for a category that the mechanism has not.
    """
    reading = mechanism.reading.changed(**rule)
    stand_ins = _stand_ins(reading, mechanism.categories, asked="missing" in rule)
    book = Codebook(mechanism.categories, "categories", reading.missing_words, stand_ins)
    columns = [LeftOut(value, book, dropped=dropped(reading.missing, drop))]
    if profile is not None:
        names = Codebook(mechanism.profiles, "profiles", reading.missing_words)
        columns.append(LeftOut(profile, names, dropped=dropped(reading.missing_profile, drop)))
    return columns


def released_column(mechanism: Mechanism, value: str, **rule: Unpack[Rule]) -> tuple[Reading, LeftOut]:
    """Return the rule for what was released, and the column of the outputs: there are no others among these.

    Raises
    ------
    InputError
        if the rule asks for an output that the mechanism has not.
    """
    reading = replace(mechanism.reading, others=None).changed(**rule)
    stand_ins = _stand_ins(reading, mechanism.outputs, asked="missing" in rule)
    book = Codebook(mechanism.outputs, "mechanism's outputs", reading.missing_words, stand_ins)
    return reading, LeftOut(value, book, dropped=dropped(reading.missing))


def _stand_ins(reading: Reading, labels: tuple[Label, ...], *, asked: bool) -> dict[int, Label]:
    """Return the labels of cells that are none: of values without a category, and of missing ones."""
    found: dict[int, Label] = {}
    if reading.others is not None:
        place = Labels(labels, "categories").place(str(reading.others))
        if place is None:
            raise InputError(f"others: {shown(reading.others)} is none of the mechanism's categories")
        found[UNKNOWN] = labels[place]
    if reading.missing == Missing.CATEGORY:
        if NAMED_MISSING in labels or UNKNOWN in found:
            found[MISSING] = NAMED_MISSING if NAMED_MISSING in labels else found[UNKNOWN]
        elif asked:
            found_none = f"the mechanism has no category {shown(NAMED_MISSING)}"
            raise InputError(f"missing: {found_none}; drop leaves such rows out")
    return found


def dropped(missing: Missing, drop: bool = False) -> frozenset[int]:
    """Return which kinds of cells are left out with their rows."""
    return frozenset([UNKNOWN, MISSING] if drop else [MISSING] if missing == Missing.DROP else [])
