"""The posterior of a noisy count against direct summation in 45 digits, over the whole range of its arguments."""

import math
import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from decimally import exact_beta_mean, exact_limit, exact_masses, exact_mean, exact_median
from hypothesis import given
from hypothesis import strategies as st

from mechdesign import InputError
from mechdesign.count import Beta, posterior, posterior_mean, posterior_median, prior_graph

CHANCES = st.floats(1e-12, 1 - 1e-12)
EPSILONS = st.floats(1e-4, 20)


def drawn(seed: int) -> tuple[int, float, float, float]:
    """Return n, p, epsilon, y from everywhere: small and large, skewed, answers near every centre and far outside."""
    rnd = random.Random(seed)
    n = int(10 ** rnd.uniform(0, 4))
    tiny = 10 ** rnd.uniform(-12, -0.3)
    p = rnd.choice([rnd.random(), tiny, 1 - tiny, 10 ** rnd.uniform(-280, -12)])
    epsilon = rnd.choice([10 ** rnd.uniform(-4, math.log10(20)), 1e-4, 20.0])
    spread = math.sqrt(n * p * (1 - p)) + 1
    centre = rnd.choice([n * p, exact_limit(n, p, epsilon, 1), exact_limit(n, p, epsilon, -1), rnd.uniform(-1, n + 1)])
    y = rnd.choice(
        [centre + rnd.gauss(0, 1) * spread * rnd.choice([0, 1, 10, 40]), -1e9, 1e9, n, n - 0.5, -1e-9, 1e300]
    )
    return n, p, epsilon, rnd.choice([y, float(round(y))])


class TestAccuracy:
    @pytest.mark.parametrize("block", range(10))
    def test_everywhere(self, block: int) -> None:
        """A hundred points as a sample, none special; in blocks, for several processes."""
        for seed in range(10 * block, 10 * block + 10):
            n, p, epsilon, y = point = drawn(seed)
            mean, very = exact_mean(*point), Fraction(p)  # near 1 the decimal of a double is another probability
            whole = posterior(y, n, very, epsilon)
            assert float(posterior_mean(y, n, very, epsilon)) == pytest.approx(mean, rel=1e-12, abs=1e-290), point
            assert whole.mean == pytest.approx(mean, rel=1e-11, abs=1e-290), point
            median, margin = exact_median(*point)
            if margin > 1e-10:
                assert float(posterior_median(y, n, very, epsilon)) == whole.median == median, point

    @pytest.mark.parametrize("p", [1e-9, 0.3, 1 - 1e-9])
    @pytest.mark.parametrize("epsilon", [1e-4, 0.1, 20.0])
    def test_a_million_records(self, p: float, epsilon: float) -> None:
        n = 10**6
        for y, side in ((-1e9, -1), (-0.5, -1), (1e6, 1), (1e9, 1)):
            limit = exact_limit(n, p, epsilon, side)
            assert float(posterior_mean(y, n, Fraction(p), epsilon)) == pytest.approx(limit, rel=1e-12)
            assert posterior(y, n, Fraction(p), epsilon).mean == pytest.approx(limit, rel=1e-11)
        for y in (n * p + 0.25, n * p + 2000.75, n * p - 0.5 + 3 * math.sqrt(n * p * (1 - p))):
            mean = exact_mean(n, p, epsilon, y)
            assert float(posterior_mean(y, n, Fraction(p), epsilon)) == pytest.approx(mean, rel=1e-12)

    def test_many_answers_are_as_accurate_as_single_ones(self) -> None:
        n, p, epsilon = 10**6, 0.3, 0.5
        y = np.concatenate([np.linspace(-1e5, 1.1e6, 50_001), [299_876.5, 123_456.25, 310_000.75]])
        means, medians = posterior_mean(y, n, p, epsilon), posterior_median(y, n, p, epsilon)
        assert np.all(np.diff(means[:-3]) >= -1e-13 * n)
        for place in (-1, -2, -3, 20_000):
            single = exact_mean(n, p, epsilon, float(y[place]))
            assert means[place] == pytest.approx(single, rel=1e-12)
            assert medians[place] == posterior(float(y[place]), n, p, epsilon).median

    def test_hundreds_of_millions(self) -> None:
        n, y = 330_000_000, np.array([9.9e7, 99_012_345.6, -1e12])
        assert posterior_mean(y, n, 0.3, 0.1)[1] == pytest.approx(exact_mean(n, 0.3, 0.1, 99_012_345.6), rel=1e-12)
        assert posterior_mean(y, n, 0.3, 0.1)[2] == pytest.approx(exact_limit(n, 0.3, 0.1, -1), rel=1e-12)

    @pytest.mark.slow
    def test_as_many_as_may_be(self) -> None:
        found = posterior(1e10, 10**12, 0.01, 1)
        assert found.median == 10**10
        assert found.mean == pytest.approx(1e10, rel=1e-14)
        weights = [math.exp(-abs(k)) for k in range(-60, 61)]  # so near the middle the prior is flat
        variance = sum(k * k * weight for k, weight in zip(range(-60, 61), weights, strict=True)) / sum(weights)
        assert found.deviation == pytest.approx(math.sqrt(variance), rel=1e-8)


class TestLaws:
    @given(st.integers(1, 3000), CHANCES, EPSILONS, st.lists(st.floats(-1e4, 1e4), min_size=2, max_size=20))
    def test_increases_between_its_limits(self, n: int, p: float, epsilon: float, y: list[float]) -> None:
        means = posterior_mean(sorted(y), n, Fraction(p), epsilon)
        medians = posterior_median(sorted(y), n, Fraction(p), epsilon)
        assert np.all(np.diff(means) >= -1e-12 * means[1:])
        assert np.all(np.diff(medians) >= 0)
        slack = 1 + 1e-12
        assert means[0] * slack >= exact_limit(n, p, epsilon, -1)
        assert means[-1] <= exact_limit(n, p, epsilon, 1) * slack

    @pytest.mark.parametrize(
        ("n", "rest", "epsilon", "y"),
        [(7, 2.5325239851418776e-23, 13.000629592577916, 3.5), (49, 1.2023352712090468e-17, 0.09987522028697943, 49)],
    )
    def test_never_beyond_n(self, n: int, rest: float, epsilon: float, y: float) -> None:
        """These rounded to the next double above n."""
        p = 1 - Fraction(rest)
        assert n * (1 - 1e-15) < float(posterior_mean(y, n, p, epsilon)) <= n
        assert n * (1 - 1e-15) < posterior(y, n, p, epsilon).mean <= n

    @pytest.mark.parametrize(("p", "count"), [(0, 0), (1, 7), ("1", 7), (Fraction(0), 0)])
    def test_known_count(self, p: Any, count: int) -> None:
        for y in (-3.0, 2.5, 100.0):
            known = posterior(y, 7, p, 0.5)
            assert (known.mean, known.median, known.mode, known.interval()) == (count, count, count, (count, count))
            assert (known.deviation, known.pmf(count), known.cdf(count), known.cdf(count - 1)) == (0, 1, 1, 0)
            assert float(posterior_mean(y, 7, p, 0.5)) == float(posterior_median(y, 7, p, 0.5)) == count

    def test_shapes(self) -> None:
        y = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.5]])
        assert posterior_mean(y, 10, 0.3, 1).shape == posterior_median(y, 10, 0.3, 1).shape == (2, 3)
        assert posterior_mean(y, 10, 0.3, 1)[1, 2] == posterior_mean(6.5, 10, 0.3, 1)
        assert posterior_mean([], 10, 0.3, 1).shape == (0,)


class TestPosterior:
    @pytest.mark.parametrize("y", [-30.0, -0.5, 0.0, 3.0, 3.5, 6.25, 12.0, 400.0])
    @pytest.mark.parametrize("epsilon", [0.01, 0.7, 20.0])
    def test_by_the_definition(self, y: float, epsilon: float) -> None:
        n, p = 12, 0.25
        masses = exact_masses([math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)], epsilon, y)
        found = posterior(y, n, p, epsilon)
        assert [found.pmf(k) for k in range(n + 1)] == pytest.approx(masses, rel=1e-12)
        assert [found.cdf(k) for k in range(n + 1)] == pytest.approx(np.cumsum(masses), rel=1e-12)
        assert found.mode == np.argmax(masses)
        mean = sum(k * mass for k, mass in enumerate(masses))
        assert found.deviation**2 == pytest.approx(sum((k - mean) ** 2 * w for k, w in enumerate(masses)), rel=1e-9)
        assert (found.pmf(-1), found.pmf(n + 1), found.cdf(-0.5), found.cdf(n + 5)) == (0, 0, 0, 1)

    def test_interval(self) -> None:
        found = posterior(45.3, 100, 0.3, 0.1)
        for level in (0.5, 0.9, 0.95, 0.999):
            low, high = found.interval(level)
            assert found.cdf(low - 1) < (1 - level) / 2 <= found.cdf(low)
            assert found.cdf(high - 1) < (1 + level) / 2 <= found.cdf(high)
        assert (found.quantile(0), found.quantile(1)) == (found.x[0], found.x[-1])

    @pytest.mark.slow
    def test_ties(self) -> None:
        """With n odd and a symmetric prior, just half the probability lies below n / 2."""
        assert posterior(7.5, 15, 0.5, 0.1).median == 7
        generator = np.random.default_rng(5)
        for n in (1, 3, 5, *range(7, 202, 6)):
            half = generator.random((n + 1) // 2) + 1e-6
            listed = np.concatenate((half, half[::-1])) / (2 * half.sum())
            for prior in (0.5, Beta(1, 1), Beta(0.5, 0.5), Beta(1e5, 1e5), listed):
                for epsilon in (1e-6, 0.1, 1, 20):
                    tie, elsewhere = n / 2, generator.uniform(-1, n + 1)
                    assert posterior(tie, n, prior, epsilon).median == n // 2
                    assert posterior_median([tie, elsewhere], n, prior, epsilon)[0] == n // 2
        unlikely = [0.5, 1e-20, 1e-20, 0.5]
        assert posterior_median(1.5, 3, unlikely, 1) == 1


class TestOtherPriors:
    PRIORS = (
        [0.125, 0.25, 0.0, 0.0, 0.5, 0.0, 0.125],
        [0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0],
        [1e-200, 0.5, 1e-280, 0.0, 0.5, 1e-100, 0.0],
        [1 / 7] * 7,
    )

    @pytest.mark.parametrize("masses", PRIORS)
    @pytest.mark.parametrize("epsilon", [1e-4, 0.3, 20.0])
    def test_masses(self, masses: list[float], epsilon: float) -> None:
        for y in (-50.0, -0.25, 0.0, 1.0, 2.5, 3.9, 5.0, 6.0, 70.0):
            after = exact_masses(masses, epsilon, y)
            mean = sum(k * mass for k, mass in enumerate(after))
            found = posterior(y, 6, masses, epsilon)
            assert found.mean == pytest.approx(mean, rel=1e-12)
            assert float(posterior_mean(y, 6, masses, epsilon)) == pytest.approx(mean, rel=1e-12)
            assert [found.pmf(k) for k in range(7)] == pytest.approx(after, rel=1e-11, abs=1e-250)
            up_to = np.cumsum(after)
            if np.abs(up_to - 0.5).min() > 1e-12:
                assert float(posterior_median(y, 6, masses, epsilon)) == np.searchsorted(up_to, 0.5)

    @pytest.mark.parametrize(("alpha", "beta"), [(3, 7), (0.5, 0.5), (1, 1), ("1/3", 40)])
    def test_beta(self, alpha: Any, beta: Any) -> None:
        n, a, b = 30, Fraction(alpha), Fraction(beta)
        rising = [Fraction(1)]
        for k in range(n):
            rising.append(rising[-1] * Fraction(n - k, k + 1) * (a + k) / (b + n - k - 1))
        masses = [float(mass / sum(rising)) for mass in rising]
        for y in (-4.0, 7.3, 20.0, 35.5):
            after = exact_masses(masses, 0.4, y)
            mean = sum(k * mass for k, mass in enumerate(after))
            assert float(posterior_mean(y, n, Beta(alpha, beta), 0.4)) == pytest.approx(mean, rel=1e-12)

    @pytest.mark.parametrize(
        ("n", "alpha", "beta", "epsilon", "y", "mean"),
        [
            (1000, 3000, 7000, 5, 1000, 988.29),
            (2000, 10**5, 10**5, 5, 2000, 1986.87),
            (10**4, 3, 1000, 1, 10**4, 9418.2),
            (1000, 1, 10**6, 10, 1000, 954.6),
            (1000, 7, 3, 0.5, 3.25, None),
        ],
    )
    def test_answers_among_masses_that_underflow(
        self, n: int, alpha: int, beta: int, epsilon: float, y: float, mean: float | None
    ) -> None:
        exact = exact_beta_mean(n, alpha, beta, epsilon, y)
        assert mean is None or exact == pytest.approx(mean, rel=1e-5)
        found = posterior(y, n, Beta(alpha, beta), epsilon)
        assert found.mean == pytest.approx(exact, rel=1e-12)
        assert float(posterior_mean(y, n, Beta(alpha, beta), epsilon)) == pytest.approx(exact, rel=1e-12)
        assert found.median == posterior_median(y, n, Beta(alpha, beta), epsilon) == pytest.approx(exact, abs=1)

    @pytest.mark.parametrize("y", [3, 8])
    def test_the_ends_of_what_may_be_given(self, y: float) -> None:
        all_or_none = 10 / (1 + math.exp(10 - 2 * y))
        assert float(posterior_mean(y, 10, Beta(1e-100, "1e-100"), 1)) == pytest.approx(all_or_none, rel=1e-12)
        fair = float(posterior_mean(y, 10, 0.5, 1))
        assert float(posterior_mean(y, 10, Beta(1e100, "1e100"), 1)) == pytest.approx(fair, rel=1e-12)
        assert float(posterior_mean(y, 10, 1e-300, 1)) == pytest.approx(10 * math.e * 1e-300, rel=1e-12, abs=0)
        assert float(posterior_mean(y, 10, 1 - Fraction(1, 10**300), 1)) == pytest.approx(10, rel=1e-15)

    def test_a_mass_too_small_for_a_relative_threshold(self) -> None:
        assert float(posterior_mean(1, 1, [1, 1e-295], 700)) == pytest.approx(0.9999999990140322, rel=1e-12)
        assert float(posterior_mean(0, 1, [0.5, 0.5], 700)) == pytest.approx(math.exp(-700), rel=1e-12, abs=0)

    @pytest.mark.parametrize("prior", [Beta(2, 5), Beta(0.5, 3), [0.25, 0, 0.5, 0, 0, 0, 0, 0, 0.25]])
    def test_a_window_loses_nothing(self, prior: Any) -> None:
        n = 8 if isinstance(prior, list) else 2000
        y = np.linspace(-20, n + 20, 400)
        together = posterior_mean(y, n, prior, 3)
        assert together == pytest.approx([float(posterior_mean(one, n, prior, 3)) for one in y], rel=1e-12)
        assert together == pytest.approx([posterior(one, n, prior, 3).mean for one in y], rel=1e-11)

    def test_masses_may_be_written_as_fractions(self) -> None:
        exact = [Fraction(1, 3), Fraction(1, 2), Fraction(1, 6)]
        written: list[Any] = ["1/3", "0.5", Fraction(1, 6)]
        assert posterior(1.5, 2, written, 1).mean == posterior(1.5, 2, exact, 1).mean
        assert dict(prior_graph(2, written).nodes(data="weight")) == dict(enumerate(exact))

    def test_geometric_noise_says_the_same_at_whole_answers(self) -> None:
        y = np.arange(-5, 20)
        laplace, geometric = (posterior_mean(y, 12, 0.3, 0.7, noise=noise) for noise in ("laplace", "geometric"))
        assert np.array_equal(laplace, geometric)
        assert posterior(3, 12, 0.3, 0.7, noise="geometric").mean == posterior(3, 12, 0.3, 0.7).mean


class TestBadInput:
    @pytest.mark.parametrize("n", [0, -1, 1.5, "ten", True, None, math.nan])
    def test_n(self, n: Any) -> None:
        with pytest.raises(InputError, match="n: expected a positive integer, found"):
            posterior_mean(1.0, n, 0.5, 1)

    @pytest.mark.parametrize("n", [10**12 + 1, 10**15, 10**16, "1e400"])
    def test_too_many_records(self, n: Any) -> None:
        for function in (posterior, posterior_mean, posterior_median):
            with pytest.raises(InputError, match="n: expected at most 1000000000000 records, found"):
                function(5, n, 0.5, 1)
        with pytest.raises(InputError, match="n: expected at most 10000000 records with a prior that is not binomial"):
            posterior(5, 10**7 + 1, Beta(1, 1), 1)

    @pytest.mark.parametrize(
        "p", [-0.1, 1.1, "x", None, math.nan, math.inf, True, "1e-400", 5e-324, 1 - Fraction(1, 10**400)]
    )
    def test_p(self, p: Any) -> None:
        with pytest.raises(InputError, match="p: expected a probability"):
            posterior(1.0, 10, p, 1)

    @pytest.mark.parametrize("epsilon", [0, -1, math.nan, math.inf, "one", None, "1e-400", 701])
    def test_epsilon(self, epsilon: Any) -> None:
        with pytest.raises(InputError, match="epsilon: expected a number > 0"):
            posterior_median(1.0, 10, 0.5, epsilon)

    @pytest.mark.parametrize(
        ("y", "words"),
        [
            (math.nan, "answer: expected a finite number, found nan"),
            ([1.0, 2.0, math.inf], "answer 2: expected"),
            ([[1.0, 2.0], [math.nan, 1.0]], "answer 1, 0: expected"),
            ("many", "answer: expected a number or an array"),
            ([1, [2, 3]], "answer: expected a number or an array"),
        ],
    )
    def test_answers(self, y: Any, words: str) -> None:
        with pytest.raises(InputError, match=words):
            posterior_mean(y, 10, 0.5, 1)

    def test_one_answer(self) -> None:
        with pytest.raises(InputError, match="posterior_mean and posterior_median take arrays"):
            posterior([1.0, 2.0], 10, 0.5, 1)  # type: ignore[arg-type]

    def test_geometric_answers_are_whole(self) -> None:
        with pytest.raises(InputError, match="answer 1: expected a whole number"):
            posterior_mean([1, 2.5], 10, 0.5, 1, noise="geometric")
        with pytest.raises(InputError, match="noise: expected one of laplace, geometric, found 'gauss'"):
            posterior_mean([1, 2.5], 10, 0.5, 1, noise="gauss")

    @pytest.mark.parametrize(
        ("prior", "words"),
        [
            ([0.5, 0.5], "expected n \\+ 1 = 3 masses, found shape \\(2,\\)"),
            ([0.5, 0.6, -0.1], "mass of 2: expected a number >= 0, found -0.1"),
            ([0.5, math.nan, 0.5], "mass of 1: expected"),
            ([0.5, 0.5, 0.5], "total 1, found 1.5"),
            (["a", "b", "c"], "mass of 0: expected a number such as 0.3 or \"3/10\", found 'a'"),
            (["1/2", "1/2", "x"], "mass of 2: expected a number such as 0.3"),
            (["1/2", "1/2"], "expected n \\+ 1 = 3 masses, found shape \\(2,\\)"),
            ([["1/2"], ["1/2", 0]], "expected p, Beta\\(alpha, beta\\) or n \\+ 1 masses"),
            (object(), "expected p, Beta\\(alpha, beta\\) or n \\+ 1 masses"),
            (Beta(0, 1), "alpha: expected a number > 0, found 0"),
            (Beta(1, "x"), "beta: expected a number > 0, found 'x'"),
            (Beta(1, "1e-400"), "beta: expected"),
            (Beta(1e-310, 1), "alpha: expected"),
            (Beta(1, "1e400"), "beta: expected"),
        ],
    )
    def test_priors(self, prior: Any, words: str) -> None:
        with pytest.raises(InputError, match=words):
            posterior(1.0, 2, prior, 1)

    @pytest.mark.parametrize("level", [0, 1, -0.5, 2, math.nan])
    def test_level(self, level: float) -> None:
        with pytest.raises(InputError, match="level: expected a probability between 0 and 1"):
            posterior(1.0, 2, 0.5, 1).interval(level)
