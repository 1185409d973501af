"""What formulas rest on: algebraic ends, signs of polynomials, exact solutions, optimal bases, classes."""

from collections.abc import Sequence
from fractions import Fraction

import pytest
from flint import fmpq, fmpq_poly, fmpz_poly
from hypothesis import given
from hypothesis import strategies as st

from mechdesign.formulas import optimal
from mechdesign.formulas.bases import UnsettledError, basis_of
from mechdesign.formulas.optimal import Solver
from mechdesign.formulas.parametric_program import Row
from mechdesign.formulas.polynomials import End, Quotient, roots_of, written_ends
from mechdesign.formulas.stretch import Stretch, nonnegative_around
from mechdesign.formulas.whole_range import _joined

F = Fraction


def whole(*values: int) -> fmpz_poly:
    return fmpz_poly(list(values))


# --- ends -------------------------------------------------------------------------------------------------------------


def test_ends_are_compared_exactly() -> None:
    """The root of 2 and a rational 10^-40 beside it; roots of different polynomials that differ by as little."""
    (_, one) = roots_of(whole(-2, 0, 1))
    near = F(14142135623730950488016887242096980785696, 10**40)
    assert End.at(near) < one < End.at(near + F(1, 10**39))
    unit = 10**30
    other = roots_of(whole(-2 * unit - 1, 0, unit))[1]
    assert one < other
    assert one == roots_of(whole(-4, 0, 2))[1]
    assert len({one, roots_of(whole(-2, 0, 1))[1], other}) == 2


def test_an_interval_holds_its_root_and_no_other() -> None:
    """Also of two that are nearer than 2^-20, whatever the interval to begin with, whatever the sign."""
    polynomial = fmpz_poly([-2, 4000, -2 * 10**6, 1])
    ends = roots_of(polynomial)
    assert roots_of(-polynomial) == ends
    for end in (*ends, End(fmpz_poly([-2, 0, 1]), 1, F(1), F(2))):
        low, high = map(End.at, end.isolated())
        assert [other for other in {*ends, end} if low < other < high] == [end]
    assert float(End(fmpz_poly([-2, 0, 1]), 1, F(1), F(2))) == 2**0.5


def test_ends_as_files_have_them() -> None:
    """Intervals are narrow enough to leave room between all of them, and hold one root of their polynomials."""
    close = whole(-2, 0, 1) * 10**16 + whole(1)
    ends = [roots_of(whole(-2, 0, 1))[1], roots_of(close)[1], End.at(F(3, 2))]
    written = written_ends(ends)
    intervals = sorted((F(low), F(high)) for low, high in (written[end]["interval"] for end in ends[:2]))
    assert intervals[0][1] < intervals[1][0]
    assert written[ends[2]] == "3/2"
    for end in ends[:2]:
        polynomial = fmpz_poly(written[end]["polynomial"])
        low, high = (fmpq(F(x).numerator, F(x).denominator) for x in written[end]["interval"])
        assert polynomial(low) * polynomial(high) < 0


@given(st.lists(st.integers(-6, 6), min_size=1, max_size=5), st.fractions(-4, 4, max_denominator=6))
def test_signs_around_a_point(roots: list[int], z: Fraction) -> None:
    """A product of (x - root): it is >= 0 up to the next root, and no farther."""
    polynomial = fmpz_poly([1])
    for root in roots:
        polynomial = polynomial * whole(-root, 1)
    within = Stretch(End.at(-5), End.at(5))

    def value(at: Fraction) -> Fraction:
        result = F(1)
        for root in roots:
            result *= at - root
        return result

    found = nonnegative_around([polynomial], z, within)
    assert (found is None) == (value(z) < 0)
    if found is not None:
        assert z in found
        low, high = found.low.low, found.high.low  # type: ignore[union-attr]
        assert all(value(low + (high - low) * F(step, 7)) >= 0 for step in range(8))
        assert low == -5 or low in roots
        assert high == 5 or high in roots
        assert not any(low < root < high for root in roots)


def test_signs_of_several_polynomials_with_algebraic_roots() -> None:
    found = nonnegative_around([whole(-2, 0, 1), whole(3), whole(0), whole(7, 0, -1)], F(2), Stretch(End.at(1), None))
    assert found is not None
    assert (float(found.low), float(found.high)) == pytest.approx((2**0.5, 7**0.5))  # type: ignore[arg-type]
    assert nonnegative_around([whole(-1)], F(2), Stretch(End.at(1), None)) is None


# --- exact solutions --------------------------------------------------------------------------------------------------


def row(cells: dict[int, Sequence[int]], bound: int = 0, *, equation: bool = False) -> Row:
    return Row({c: fmpq_poly(list(v)) for c, v in cells.items()}, fmpq_poly([bound]), equation)


@pytest.mark.parametrize("degree", [3, 9, 25])
def test_solutions_of_high_degree(degree: int) -> None:
    """A chain x_i = z x_(i+1): rational interpolation asks for as many points as it takes."""
    rows = [row({i: [1], i + 1: [0, -1]}) for i in range(degree)] + [row({i: [1, i] for i in range(degree + 1)}, 1)]
    primal, below = basis_of(rows, [fmpq(1)] * (degree + 1), range(degree + 1), range(degree + 1)).solution
    z = fmpq(9, 7)
    assert all(primal[i](z) == z * primal[i + 1](z) for i in range(degree))
    assert sum((1 + i * z) * primal[i](z) for i in range(degree + 1)) == below(z)


def test_bases_that_determine_nothing_are_refused() -> None:
    rows = [row({0: [1], 1: [0, 1]}), row({0: [2], 1: [0, 2]}, 1)]
    for columns in ([0, 1], [0]):
        with pytest.raises(UnsettledError, match="determines nothing"):
            basis_of(rows, [fmpq(1), fmpq(1)], columns, [0, 1])


# --- optimal bases ----------------------------------------------------------------------------------------------------


ALL = Stretch(End.at(1), None)


def near_tie() -> Solver:
    """At z = 3 the second column is better by less than the tolerance of HiGHS."""
    return Solver([row({0: [1], 1: [0, 1]}, 1, equation=True)], [fmpq(1), 3 - fmpq(1, 10**13)])


def test_a_basis_that_only_seems_optimal_is_refined() -> None:
    solver, asked = near_tie(), []
    for z in (2, 3, 3, 2):
        solution, _ = solver.optimal(F(z), ALL)
        asked.append([c for c, value in solution.numerators.items() if not value.is_zero()])
    assert asked == [[0], [1], [1], [0]]


def test_where_refinement_finds_none_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(optimal, "REFINEMENTS", 0)
    solver = near_tie()
    solver.optimal(F(2), ALL)
    with pytest.raises(UnsettledError, match="no basis that was found is optimal; give probabilities and losses as sh"):
        solver.optimal(F(3), ALL)


def test_solutions_that_miss_a_bound_by_little_are_refined() -> None:
    """x0 + x1 = 1 and x0 >= z / 10^12 at once, with x0 the dearer: HiGHS leaves x0 at 0."""
    rows = [row({0: [1], 1: [1]}, 1, equation=True), Row({0: fmpq_poly([-1])}, fmpq_poly([0, fmpq(-1, 10**12)]), False)]
    solution, multipliers = Solver(rows, [fmpq(2), fmpq(1)]).optimal(F(3), ALL)
    assert solution.value == multipliers.value
    assert fmpq_poly(solution.value.numerator)(3) / fmpq_poly(solution.value.denominator)(3) == 1 + fmpq(3, 10**12)


def test_a_program_without_solution_is_not_settled() -> None:
    rows = [row({0: [1]}, 1, equation=True), row({0: [1]}, 2, equation=True)]
    with pytest.raises(UnsettledError):
        Solver(rows, [fmpq(1)]).optimal(F(1), ALL)


# --- classes and pieces -----------------------------------------------------------------------------------------------


def test_pieces_of_one_function_are_joined_and_points_left_out() -> None:
    one, other = Quotient(fmpq_poly([1]), fmpq_poly([0, 1])), Quotient(fmpq_poly([1]), fmpq_poly([1]))
    ends = [End.at(n) for n in range(6)]

    def part(low: int, high: int | None, value: Quotient) -> tuple[Stretch, Quotient]:
        return Stretch(ends[low], None if high is None else ends[high]), value

    found = [part(3, None, other), part(1, 2, one), part(2, 2, other), part(2, 3, one), part(3, 3, one)]
    joined = _joined([*found, part(1, 3, one)])
    assert joined == [part(1, 3, one), part(3, None, other)]
