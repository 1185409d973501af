"""[SM] Tables 1 and 2: one response to the mean query, as the provider and as the intruder see it."""

import math
from fractions import Fraction

from mechdesign.audit import audit_query, laplace_quantile
from mechdesign.papers.result import Claim, Result
from mechdesign.papers.sm import CLAIMS, EPSILON, PAPER, TERRY, claims_audit

WORDS = """\
All numbers of the illustration and all 29 ratios of Table 2 come out, with the intruder's scale computed from the \
records that are left. What the paper shows is right: noise scaled to the data's own sensitivity is private for no \
epsilon, and the scale alone gives the missing claim away (Nissim, Raskhodnikova and Smith proved as much in 2007). \
p1/p2 is e^2 exactly; the printed roundings would give 7.396, which is more than e^2. ERR-4.11: that it is exactly \
e^epsilon is because the displayed ratio has b_n on both sides, which is not the mechanism run on the data without \
her. "epsilon = 0 provides absolute privacy" is right, but the noise is infinite then."""

TABLE = (
    "0.91", "0.89", "0.92", "0.93", "0.92", "0.95", "0.92", "0.96", "0.89", "0.89",
    "0.98", "0.88", "0.93", "0.90", "0.96", "0.90", "0.93", "0.88", "0.91", "0.92",
    "0.85", "0.92", "0.91", "0.90", "0.89", "0.91", "0.92", "0.96", "0.91",
)  # fmt: skip


def reproduce() -> Result:
    """Return the numbers of the illustration, and Table 2.

    References
    ----------
    [SM] Tables 1 and 2, and the text between them.

    Examples
    --------
    >>> result = reproduce()
    >>> float(result.rows[3].computed), result.rows[3].agrees
    (1.4946149425287356, True)
    """
    return Result("sm-table-2", "One response, two views", PAPER, (*_text(), *_inference(), *_table()), WORDS)


def _text() -> list[Claim]:
    audit, rest = claims_audit(), audit_query(CLAIMS[:TERRY], "mean", EPSILON)
    found, e2 = audit.records, math.exp(EPSILON)
    without = float(rest.answer)
    most = int(abs(rest.records.answers - without).argmax())
    return [
        Claim("f_n", audit.answer, "13.312"),
        Claim("f_{n-1}", float(found.answers[TERRY]), "10.323"),
        Claim("Delta f_n", audit.sensitivity, "2.989"),
        Claim("b_n", audit.scale, "1.495"),
        Claim("f_{n-2}", float(rest.records.answers[most]), "10.439"),
        Claim("Delta f_{n-1}", float(found.sensitivities[TERRY]), "0.115"),
        Claim("b_{n-1}", float(found.scales[TERRY]), "0.058"),
        Claim("the next most influential observation", most + 1, "21"),
        Claim("noise at u = 0.75", float(laplace_quantile(0.75, 0, float(audit.scale))), "1.036"),
        Claim("response", audit.response, "14.348"),
        Claim("p1", audit.p1, "0.25"),
        Claim("p2", float(found.p2[TERRY]), "0.0338"),
        Claim("p1/p2", float(found.ratio_provider[TERRY]), reference=e2, note="exactly e^2"),
        Claim("Exp(2)", e2, "7.3891"),
        Claim("0.70/0.10 is within Exp(2)", Fraction(70, 10) <= e2, claimed=True),
        Claim("p3, in 10^-31", float(found.p3[TERRY]) * 1e31, reference="2.629826", note="about 0 in the paper"),
        Claim("p1/p3 exceeds Exp(2)", bool(found.ratio_intruder[TERRY] > e2), claimed=True),
    ]


def _inference() -> list[Claim]:
    found = claims_audit().records
    percentile = float(laplace_quantile(0.9999, found.answers[TERRY], found.scales[TERRY]))
    return [
        Claim("the intruder's 99.99th percentile", percentile, "10.81483", "10.814835"),
        Claim("her claim is at least", float(found.inferred[TERRY]), "25.075", "25.075050"),
    ]


def _table() -> list[Claim]:
    ratios = claims_audit().records.ratio_intruder
    rows = [Claim(f"p1/p3 without observation {i + 1}", float(ratios[i]), printed) for i, printed in enumerate(TABLE)]
    large = float(ratios[TERRY])
    return [
        *rows,
        Claim("p1/p3 without observation 30 exceeds 99999999", large > 99999999, claimed=True),
        Claim("it is, in 10^29", large / 1e29, reference="9.506334"),
    ]
