"""What the results of [SM] share: the source, its data, and its audit."""

from functools import cache
from typing import Any

from mechdesign.audit import Audit, audit_query

PAPER = "[SM] Sarathy and Muralidhar, UNECE/Eurostat work session on confidentiality, Bilbao 2009"

CLAIMS = (
    "9.91", "9.16", "10.59", "11.27", "10.50", "11.89", "10.62", "12.54", "9.29", "8.92",
    "13.37", "8.55", "11.18", "9.45", "12.65", "9.49", "11.24", "8.69", "9.97", "10.64",
    "7.09", "10.68", "9.96", "9.69", "9.33", "10.08", "10.38", "12.32", "9.92", "100.00",
)  # fmt: skip
"""Table 1, in thousands of dollars; the last one is Terry Gross's."""

EPSILON = 2
TERRY = 29
"""Her position."""


@cache
def claims_audit(last: Any = CLAIMS[TERRY]) -> Audit:
    """Return the audit of the mean at u = 0.75.

    Parameters
    ----------
    last
        what Terry Gross claims.

    Examples
    --------
    >>> round(claims_audit().response, 3)
    14.348
    """
    return audit_query([*CLAIMS[:TERRY], last], "mean", EPSILON)
