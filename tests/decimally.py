"""An independent posterior of a noisy count, by direct summation in 45 decimal digits, from the definition."""

import math
from collections.abc import Iterator, Sequence
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from fractions import Fraction

CONTEXT = Context(prec=45, Emax=MAX_EMAX, Emin=MIN_EMIN)
NEGLIGIBLE = Decimal("1e-32")


def exact_mean(n: int, p: float, epsilon: float, y: float) -> float:
    """Return sum_k k w_k e^{-epsilon |y - k|} / sum_k w_k e^{-epsilon |y - k|}, correct to the last digit."""
    with localcontext(CONTEXT):
        terms = _terms(n, p, epsilon, y)
        return float(sum(k * term for k, term in terms.items()) / sum(terms.values()))


def exact_median(n: int, p: float, epsilon: float, y: float) -> tuple[int, float]:
    """Return the least median, and how near the probability up to it or below it comes to one half."""
    with localcontext(CONTEXT):
        terms = _terms(n, p, epsilon, y)
        total, sofar = sum(terms.values()), Decimal(0)
        for k in sorted(terms):
            sofar += terms[k]
            if 2 * sofar >= total:
                return k, float(min(abs(2 * sofar / total - 1), abs(2 * (sofar - terms[k]) / total - 1)))
    raise AssertionError


def exact_limit(n: int, p: float, epsilon: float, side: int) -> float:
    """Return n p e^{side epsilon} / (q + p e^{side epsilon}), the posterior mean for answers beyond n (1) or 0 (-1)."""
    with localcontext(CONTEXT):
        tilted = Decimal(p) * (side * Decimal(epsilon)).exp()
        return float(n * tilted / (1 - Decimal(p) + tilted))


def exact_masses(masses: Sequence[float], epsilon: float, y: float) -> list[float]:
    """Return the posterior for any prior masses."""
    with localcontext(CONTEXT):
        terms = [Decimal(w) * (-Decimal(epsilon) * abs(Decimal(y) - k)).exp() for k, w in enumerate(masses)]
        return [float(term / sum(terms)) for term in terms]


def exact_beta_mean(n: int, alpha: int, beta: int, epsilon: float, y: float) -> float:
    """Return the posterior mean for a beta-binomial prior."""
    with localcontext(CONTEXT):
        mass, weights = Decimal(1), []
        for k in range(n + 1):
            weights.append(mass * (-Decimal(epsilon) * abs(Decimal(y) - k)).exp())
            mass *= Decimal((n - k) * (k + alpha)) / Decimal((k + 1) * max(n - k - 1 + beta, 1))
        return float(sum(k * weight for k, weight in enumerate(weights)) / sum(weights))


def exact_better(weights: Sequence[int], epsilon: float) -> float:
    """Return P(|B(y) - K| < |y - K|) with geometric noise for these weights; nearly equal pulls are a tie."""
    n = len(weights) - 1
    with localcontext(CONTEXT) as context:
        context.prec = 300
        ratio = (-Decimal(epsilon)).exp()
        powers = [ratio**i for i in range(2 * n + math.ceil(60 / epsilon) + 1)]
        total = Decimal(0)
        for y in range(n + 1 - len(powers), len(powers)):
            terms = [weight * powers[abs(y - k)] for k, weight in enumerate(weights)]
            mean = sum((k * term for k, term in enumerate(terms)), Decimal(0)) / sum(terms)
            pulls = sum((abs(k - y) * term for k, term in enumerate(terms)), Decimal(0)) / sum(terms)
            if abs(mean - y) > Decimal("1e-9") * pulls:
                total += sum(term for k, term in enumerate(terms) if abs(mean - k) < abs(y - k))
        return float(total * (1 - ratio) / (1 + ratio) / sum(weights))


def exact_median_errors(n: int, p: Fraction, epsilon: float) -> tuple[float, float]:
    """Return the mean absolute errors of the posterior median, for Laplace and for geometric noise.

    E|K - m(Y)| adds up, over the gaps between l and l + 1, the probabilities that one of K and m(Y) lies below and the
    other above it; m(Y) lies above where Y exceeds the answer that makes both sides of the gap equally likely.
    """
    with localcontext(CONTEXT):
        nats, chances = Decimal(epsilon), [math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]
        masses = [Decimal(chance.numerator) / chance.denominator for chance in chances]
        ratio = (-nats).exp()
        at = [
            min(sum(mass * ratio ** abs(y - k) * abs(k - t) for k, mass in enumerate(masses)) for t in range(n + 1))
            for y in range(n + 1)
        ]
        geometric = (sum(at[1:-1]) + (at[0] + at[-1]) / (1 - ratio)) * (1 - ratio) / (1 + ratio)
        return float(sum(_crossing_error(masses, gap, nats) for gap in range(n))), float(geometric)


def _crossing_error(masses: list[Decimal], gap: int, nats: Decimal) -> Decimal:
    """Return the probability that the count is on the other side of a gap than the median, with Laplace noise."""
    n = len(masses) - 1

    def leaning(y: Decimal) -> Decimal:
        terms = [mass * (-nats * abs(y - k)).exp() for k, mass in enumerate(masses)]
        return sum(terms[gap + 1 :], Decimal(0)) - sum(terms[: gap + 1], Decimal(0))

    def below(z: Decimal) -> Decimal:
        return (nats * z).exp() / 2 if z < 0 else 1 - (-nats * z).exp() / 2

    low, high = Decimal(-1), Decimal(n + 1)  # beyond 0 and n all answers say the same
    if leaning(low) >= 0:
        return sum(masses[: gap + 1], Decimal(0))
    if leaning(high) <= 0:
        return sum(masses[gap + 1 :], Decimal(0))
    for _ in range(140):
        middle = (low + high) / 2
        low, high = (low, middle) if leaning(middle) >= 0 else (middle, high)
    missed = (mass * below(k - low if k <= gap else low - k) for k, mass in enumerate(masses))
    return sum(missed, Decimal(0))


def _terms(n: int, p: float, epsilon: float, y: float) -> dict[int, Decimal]:
    """Return w_k e^{-epsilon |y - k|} over its value next to the answer, without what is negligible at the ends."""
    answer = Decimal(min(max(y, -1.0), n + 1.0))  # beyond, all terms change by the same factor
    nearest = min(max(math.floor(answer), 0), n)
    terms = {nearest: Decimal(1)}
    for step in (1, -1):
        total = Decimal(1)
        for k, ratio in _ratios(n, p, epsilon, answer, nearest, step):
            terms[k] = terms[k - step] * ratio
            total += terms[k]
            if ratio < 1 and terms[k] * n < total * NEGLIGIBLE * (1 - ratio):
                break  # the masses are log-concave, so the rest falls off at least geometrically
    return terms


def _ratios(n: int, p: float, epsilon: float, answer: Decimal, start: int, step: int) -> Iterator[tuple[int, Decimal]]:
    odds, nats = Decimal(p) / (1 - Decimal(p)), Decimal(epsilon)
    further, nearer = (-nats).exp(), nats.exp()
    for k in range(start + step, n + 1 if step > 0 else -1, step):
        ratio = Decimal(n - k + 1) / k * odds if step > 0 else Decimal(k + 1) / (n - k) / odds
        change = abs(answer - k) - abs(answer - k + step)
        yield k, ratio * (further if change == 1 else nearer if change == -1 else (-nats * change).exp())
