"""A mechanism as one ES module without dependencies, which sanitises where the data arise: on people's own devices.

The module holds the mechanism's integer rows and the code in `sanitise.js`, which draws with integers alone from the
bits of the platform's own cryptographic generator: exactly the law that was certified.
"""

import json
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

from mechdesign.errors import InputError
from mechdesign.exact.text import shown
from mechdesign.graph.labels import Label
from mechdesign.mechanism.mechanism import Mechanism, check_mechanism
from mechdesign.mechanism.mechanism_file import digest as digest_of
from mechdesign.release.manifest import claimed

LARGEST = 2**53 - 1
"""JavaScript's numbers hold every integer up to here."""

CODE = Path(__file__).with_name("sanitise.js")
MARK = "/* mechanism */\n"
"""Where the mechanism stands in it."""


def javascript_module(mechanism: Mechanism, *, digest: str | None = None) -> str:
    """Return the text of an ES module that exports `sanitise(value, profile)` and `MECHANISM`, which says what it is.

    `sanitise` returns an output drawn with exactly the mechanism's probabilities, and throws where the value or the
    profile is none of the mechanism's; where all profiles have the same table, the profile may be left out. Labels are
    what they are in JSON: text, numbers, and lists for tuples.

    Parameters
    ----------
    mechanism
        to be exported.
    digest
        the SHA-256 of the file that it was read from; that of the file `write_mechanism` writes if none is given.

    Raises
    ------
    InputError
        if it is no mechanism, or JavaScript has no number for a label.

    Examples
    --------
    >>> from mechdesign import mechanism_from_matrix
    >>> coin = mechanism_from_matrix([["3/4", "1/4"], ["1/4", "3/4"]], inputs=["no", "yes"])
    >>> "export function sanitise(value, profile)" in javascript_module(coin)
    True
    """
    check_mechanism(mechanism)
    for place in ("profiles", "categories", "outputs"):
        _check_numbers(getattr(mechanism, place), place)
    code, rest = CODE.read_text(encoding="utf-8").split(MARK)
    return code + "".join(f"{line}\n" for line in _data(mechanism, digest or digest_of(mechanism))) + rest


def _data(mechanism: Mechanism, digest: str) -> Iterator[str]:
    """Yield the lines of what `sanitise.js` speaks of."""
    which = mechanism.index[:1] if mechanism.one_matrix else mechanism.index
    noted = claimed(mechanism)
    rate = noted["epsilon_per_distance"]
    about = {
        "digest": digest,
        "epsilon": _text(noted["epsilon"] if rate is None else mechanism.notes["epsilon"]),
        "delta": _text(noted["delta"]),
        "epsilonPerDistance": rate,
        "unit": noted["unit"],
        "madeBy": f"mechdesign {version('mechdesign')}",
        "profiles": mechanism.profiles,
        "categories": mechanism.categories,
        "outputs": mechanism.outputs,
    }
    yield f"const ABOUT = {_literal(about)};"
    yield f"const INDEX = {_literal(which.tolist())};"
    yield "const WEIGHTS = ["
    yield from (f"  [{', '.join(f'{weight}n' for weight in row)}]," for row in mechanism.weights)
    yield "];"


def _text(note: Any) -> str | None:
    return None if note is None else str(note)


def _literal(value: Any) -> str:
    """Return JSON that is JavaScript too, and stays whole where a page holds it between tags."""
    return json.dumps(value).replace("<", "\\u003c")


def _check_numbers(labels: tuple[Label, ...], place: str) -> None:
    for label in labels:
        parts = label if isinstance(label, tuple) else (label,)
        if any(isinstance(part, int) and abs(part) > LARGEST for part in parts):
            remedy = "name it by text"
            raise InputError(f"{place}: JavaScript's numbers do not hold {shown(label)} (beyond 2^53); {remedy}")
        for part in parts:
            if isinstance(part, tuple):
                _check_numbers(part, place)
