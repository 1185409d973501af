"""[SM] Table 4: the sum derived from a noisy mean."""

from mechdesign.audit import Linked, audit_query, laplace_quantile, linked_query
from mechdesign.papers.result import Claim, Result, Value
from mechdesign.papers.sm import EPSILON, PAPER

WORDS = """\
Every entry of Table 4 comes out. ERR-4.1: "effective b_Sum = (n x b_Mean) = 12.5" in the text is the variance; the \
scale is 2.5. ERR-4.2: "the effective epsilon for the sum query is far less than the specified" is the wrong way \
round: it is 4, 44 and 20004 where 2 was asked. ERR-4.9: there is no contradiction. The table sets a sensitivity \
to removing a record that shifting the data changes (the sum's, max |x|) beside one that it does not (the mean's). \
Sum = n x mean takes n as public, neighbours then exchange a record, and for data in [L, U] the global sensitivities \
are U - L and (U - L)/n: the two scales agree exactly."""

COLUMNS: dict[int, tuple[str, tuple[str, ...], tuple[str, ...], tuple[str, str]]] = {
    0: ("(1, ..., 10)", ("55", "45", "10", "5"), ("5.5", "5", "0.5", "0.25"), ("2.5", "4")),
    100: ("(101, ..., 110)", ("1055", "945", "110", "55"), ("105.5", "105", "0.5", "0.25"), ("2.5", "44")),
    50000: (
        "(50001, ..., 50010)",
        ("500055", "450045", "50010", "25005"),
        ("50005.5", "50005", "0.5", "0.25"),
        ("2.5", "20004"),
    ),
}
NOISES = (
    ("the sum", "50", "42.59", "42.585966"),
    ("the mean", "0.125", "2.13", "2.129298"),
    ("10 x the mean", "12.5", "21.29", "21.292983"),
    ("the sum, (101, ..., 110)", None, "468.45", "468.445626"),
)
"""Variance and 99.99th percentile as printed, and the percentile to more digits."""


def reproduce() -> Result:
    """Return Table 4, the variances and the ranges in the text.

    References
    ----------
    [SM] Table 4, and "An Even More Basic Problem"; theory.md 4.1 and 4.2.

    Examples
    --------
    >>> result = reproduce()
    >>> [row.computed for row in result.rows if row.what.startswith("effective epsilon, ")]
    [Fraction(4, 1), Fraction(44, 1), Fraction(20004, 1)]
    """
    linked = {shift: _linked(shift) for shift in COLUMNS}
    rows = [row for shift in COLUMNS for row in _column(shift, linked[shift])]
    rows += [*_text(linked[0], linked[100]), *_global()]
    return Result("sm-table-4", "The sum by way of the mean", PAPER, tuple(rows), WORDS)


def _linked(shift: int) -> Linked:
    return linked_query(range(shift + 1, shift + 11), wanted="sum", answered="mean", epsilon=EPSILON)


def _column(shift: int, linked: Linked) -> list[Claim]:
    name, sums, means, (scale, epsilon) = COLUMNS[shift]
    rows = []
    for audit, printed in ((linked.wanted, sums), (linked.answered, means)):
        values: tuple[Value, ...] = audit.answer, float(audit.records.answers[-1]), audit.sensitivity, audit.scale
        for what, value, digits in zip(("f_n", "f_{n-1}", "Delta", "b"), values, printed, strict=True):
            rows.append(Claim(f"{what} of the {audit.query}, {name}", value, digits))
    return [
        *rows,
        Claim(f"effective b, {name}", linked.effective_scale, scale),
        Claim(f"effective epsilon, {name}", linked.effective_epsilon, epsilon),
    ]


def _text(small: Linked, shifted: Linked) -> list[Claim]:
    scales = small.wanted.scale, small.answered.scale, small.effective_scale, shifted.wanted.scale
    rows = []
    for scale, (name, variance, printed, digits) in zip(scales, NOISES, strict=True):
        if variance is not None:
            rows.append(Claim(f"variance of the noise of {name}", 2 * scale**2, variance))
        percentile = float(laplace_quantile(0.9999, 0, float(scale)))
        rows.append(Claim(f"99.99th percentile of the noise of {name}", percentile, printed, digits))
    return [
        *rows,
        Claim("effective b of the sum, in the text", shifted.effective_scale, "12.5", "2.5", "ERR-4.1"),
        Claim(
            "effective epsilon is less than epsilon",
            shifted.effective_epsilon < EPSILON,
            reference=False,
            note="ERR-4.2",
            claimed=True,
        ),
    ]


def _global() -> list[Claim]:
    """Return the scales in [1, 10], of the sum and 10 x the mean."""
    total, mean = (audit_query(range(1, 11), query, EPSILON, bounds=(1, 10)).mended for query in ("sum", "mean"))
    assert total is not None
    assert mean is not None
    return [
        Claim("mended in [1, 10]: b of the sum", total.scale, reference="4.5", note="ERR-4.9"),
        Claim("mended in [1, 10]: 10 b of the mean", 10 * mean.scale, reference="4.5"),
    ]
