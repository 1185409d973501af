"""Labels as they stand in the fields of a certificate, JSON text, and as people write and read them."""

import json
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from mechdesign.errors import InputError
from mechdesign.exact.bounds import digits_above
from mechdesign.exact.text import shown
from mechdesign.graph.document import plain
from mechdesign.graph.labels import Label, is_label

COMPARED = 12
"""Characters of a number that readers compare at a glance."""


def label(text: str) -> Label:
    """Return the label that stands as JSON text in the fields of a certificate.

    Raises
    ------
    InputError
        if no graph can have it.
    """

    def hashable(value: Any) -> Any:
        return tuple(map(hashable, value)) if isinstance(value, list) else value

    found: Label = hashable(json.loads(text))
    if not is_label(found):
        raise InputError(
            f"the certificate has the label {shown_label(text)}: expected text or an integer (or a list of these)"
        )
    return found


def written_labels(labels: Sequence[Label]) -> list[str]:
    """Return labels as the checker writes them."""
    try:
        texts = [json.dumps(plain(one)) for one in labels]
    except ValueError:  # an integer of more digits than Python writes
        raise InputError("a label has too many digits for any certificate") from None
    if len(set(texts)) < len(texts):
        raise InputError(
            "two labels are written alike in a certificate: text with halves of surrogate pairs; rename one"
        )
    return texts


def shown_label(text: str) -> str:
    """Return a label that stands as JSON text in the way that people read it, cut short."""
    try:
        written = json.dumps(json.loads(text), ensure_ascii=False)
        written.encode()
    except ValueError:  # half of a surrogate pair cannot be printed
        written = text
    return f"{written:.50}"


def edge_words(pair: frozenset[str]) -> str:
    """Return two labels, as they stand in a certificate, as people read them."""
    return "-".join(f"{shown_label(end)}" for end in sorted(pair))


def apart(there: Fraction, here: Fraction) -> str:
    """Return how far two numbers are from each other, where they are shown with more digits than one compares."""
    if max(len(shown(there)), len(shown(here))) <= COMPARED:
        return ""
    return f", {digits_above(abs(there - here), 2)} apart"


def of_labels(kind: str, there: Sequence[str], here: Sequence[str]) -> Iterator[str]:
    """Yield how the labels of a kind differ, in number, name or order."""
    for one in sorted(set(here) - set(there)):
        yield f"the certificate does not have your {kind} {shown_label(one)}"
    for one in sorted(set(there) - set(here)):
        yield f"the certificate has the {kind} {shown_label(one)}, which you have not"
