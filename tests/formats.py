"""A certificate as it was written before: format 1, without bounds, and with every multiplier of privacy."""

import copy
from typing import Any

from mechdesign.certificate.checker import OLD

NEW = ("masses", "lower", "upper", "radius", "places", "worst")
"""What has come since."""


def format_1(document: dict[str, Any]) -> dict[str, Any]:
    """Return the same certificate, of profiles that are known, in format 1."""
    assert not any(document["radius"])
    result = {key: copy.deepcopy(value) for key, value in document.items() if key not in NEW}
    dense = [[[0] * len(document["outputs"]) for _ in (0, 1)] for _ in document["edges"]]
    for edge, way, y, lam in document["privacy"]:
        dense[edge][way][y] = lam
    return result | {"format": OLD, "privacy": dense}
