"""How far off is what mechanisms for places release, and how far off is who guesses the place from it?"""

from collections.abc import Callable

import numpy as np
from matplotlib.figure import Figure

import mechdesign as md

graph = md.read_graph("metric-grid-5x5")
for (row, _), attributes in graph.nodes.items():
    attributes["weight"] = 8 if row == 2 else 1  # most are in the main street, as whoever guesses knows
prior = np.array([weight for _, weight in graph.nodes(data="weight")]) / (5 * 8 + 20)
far = md.distances(graph)
steps = np.array(far, dtype=float)
ways: dict[str, Callable[[str], md.Mechanism]] = {
    "of least error": lambda nats: md.design(graph, epsilon=nats, objective=md.ExpectedLoss(far)).mechanism,
    "exponential": lambda nats: md.private_exponential(graph, -steps, epsilon=nats, tight=True),
    "randomised response": lambda nats: md.k_ary(list(graph), epsilon=nats),  # far places are as alike as near ones
}


def errors(mechanism: md.Mechanism) -> tuple[float, float]:
    """Return the mean distance of what is released, and of the best guess from it, from the true place."""
    joint = prior[:, None] * np.array([mechanism.row(x, x) for x in graph], dtype=float)
    return float((joint * steps).sum()), float((steps @ joint).min(axis=0).sum())


figure = Figure(figsize=(5, 4), layout="constrained")
axes = figure.subplots()
for name, made in ways.items():
    released, guessed = zip(*(errors(made(nats)) for nats in ("0.5", "1", "2")), strict=True)
    axes.plot(released, guessed, marker="o", label=name)
    print(f"Epsilon 1, {name}: {released[1]:.2f} off, the best guess {guessed[1]:.2f}.")
axes.axline((0, 0), slope=1, color="0.8", zorder=0)
axes.set(xlabel="expected error of what is released", ylabel="expected error of the best guess")
axes.legend(frameon=False)
md.save_figure(figure, "trade_off.svg")
