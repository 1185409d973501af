"""A count was released with noise: what is the best guess of the true one?"""

from math import comb

from matplotlib.figure import Figure

import mechdesign as md

N, SHARE, EPSILON = 100, 0.3, 0.1  # each of 100 people is counted with probability 0.3
answer = md.count.release(28, N, EPSILON, seed_not_for_release=5)  # without a seed in earnest
found = md.count.posterior(answer, N, SHARE, EPSILON, noise="geometric")
low, high = found.interval()
print(f"The answer is {answer}, the best guess {found.mean:.1f}; with 95 % the count is from {low} to {high}.")

errors = md.count.errors(N, SHARE, EPSILON).absolute
print(f"Such guesses miss by {errors.mean:.1f} on average, answers as they stand by {errors.naive:.1f}.")

figure = Figure(figsize=(5, 3.2), layout="constrained")
axes = figure.add_subplot(xlabel="true count", ylabel="probability", xlim=(5, 55))
before = [comb(N, x) * SHARE**x * (1 - SHARE) ** (N - x) for x in range(N + 1)]
axes.fill_between(range(N + 1), before, step="mid", color="#b8c4d0", label="before the answer")
axes.step(found.x, found.masses, where="mid", color="#1f5fa8", label="after it")
axes.axvline(answer, color="#333333", linestyle=":", label=f"the answer, {answer}")
axes.legend(frameon=False, fontsize=8)
md.save_figure(figure, "noisy_count.svg")
