"""[SM] Table 3: the intruder's ratio as the last observation grows, and the one number in it that is wrong."""

import math
from fractions import Fraction
from typing import Any

from mechdesign.audit import audit_query
from mechdesign.papers.result import Claim, Result
from mechdesign.papers.sm import EPSILON, PAPER, TERRY, claims_audit

WORDS = """\
All entries come out but that for 40 (ERR-4.4): 5239075291 is right, 5239083064 is printed. The misprint is one of \
rounding: the tail probability, 5e-11, was computed as 1 - F, which double precision knows to a multiple of 2^-53 \
only, so that the quotient can be 2^51/k for an integer k and nothing else; the printed number is such a one. With \
rho = Delta_n/Delta_{n-1} and L = ln(1/(2(1-u))), u >= 1/2, the ratio is exp(epsilon rho + (rho-1) L). ERR-4.5: "as \
long as the last observation is the most influential, the ratio exceeds Exp(epsilon)" holds for these data, but not \
in general: it does if and only if Delta_n > Delta_{n-1}. Of 28 zeros and two hundreds it is false."""

TABLE = {14: "9", 15: "19", 16: "41", 17: "90", 18: "195", 19: "425", 20: "925", 25: "45140", 30: "2201886"}
DIGITS = {14: "8.7189", 15: "18.9717", 16: "41.2811", 17: "89.8250", 18: "195.4534", 19: "425.2939", 20: "925.4121",
          25: "45140.36", 30: "2201886.36"}  # fmt: skip
MISPRINT = 5239083064


def reproduce() -> Result:
    """Return Table 3, its law, and what is wrong with it.

    References
    ----------
    [SM] Table 3; theory.md 4.1, ERR-4.4 and ERR-4.5.

    Examples
    --------
    >>> result = reproduce()
    >>> round(result.rows[9].computed, 2), result.rows[9].agrees
    (5239075290.89, True)
    """
    rows = [Claim(f"p1/p3, last observation {x}", ratio_of(x), TABLE[x], DIGITS[x]) for x in TABLE]
    misprint = Claim("p1/p3, last observation 40", ratio_of(40), str(MISPRINT), "5239075290.89", "ERR-4.4")
    return Result("sm-table-3", "A growing claim", PAPER, (*rows, misprint, *_large(), *_law(), *_false()), WORDS)


def ratio_of(x: Any) -> float:
    """Return p1/p3 where the last observation is x.

    Parameters
    ----------
    x
        a number.

    Examples
    --------
    >>> round(ratio_of(14), 4)
    8.7189
    """
    return float(claims_audit(x).records.ratio_intruder[TERRY])


def _large() -> list[Claim]:
    return [
        Claim("2^51 / the misprint", 2**51 / MISPRINT, reference="429808.0000", note="an integer"),
        Claim("2^51 / the right number", 2**51 / ratio_of(40), reference="429808.6377"),
        *(
            Claim(f"p1/p3, last observation {x}, exceeds 9999999999", ratio_of(x) > 9999999999, claimed=True)
            for x in (50, 100)
        ),
        Claim("p1/p3, last observation 50, in 10^13", ratio_of(50) / 1e13, reference="1.2466"),
        Claim("p1/p3, last observation 100, in 10^29", ratio_of(100) / 1e29, reference="9.5063"),
    ]


def _law() -> list[Claim]:
    whole = claims_audit(100)
    f, delta = Fraction(whole.records.answers[TERRY]), Fraction(whole.records.sensitivities[TERRY])
    rho, log_two = float(whole.sensitivity / delta), math.log(2)
    threshold = f + 30 * delta
    return [
        Claim("rho, last observation 100", rho, reference="25.887955"),
        Claim(
            "ln p1/p3 there, by the law",
            EPSILON * rho + (rho - 1) * log_two,
            reference=math.log(ratio_of(100)),
        ),
        Claim("growth per unit of the last observation", ratio_of(26) / ratio_of(25), reference="2.175935"),
        Claim("from here on the last is the most influential", threshold, reference="13.787143"),
        Claim("p1/p3 there", ratio_of(float(threshold)), reference=math.exp(EPSILON), note="e^2"),
    ]


def _false() -> list[Claim]:
    audit = audit_query([0] * 28 + [100, 100], "mean", EPSILON)
    ratio = float(audit.records.ratio_intruder[TERRY])
    most = Fraction(audit.records.sensitivities[TERRY])
    return [
        Claim("28 zeros, two hundreds: rho", float(audit.sensitivity / most), reference="0.933333", note="ERR-4.5"),
        Claim("28 zeros, two hundreds: p1/p3", ratio, reference="6.174679"),
        Claim(
            "the most influential missing, p1/p3 exceeds Exp(2)",
            ratio > math.exp(EPSILON),
            reference=False,
            claimed=True,
        ),
    ]
