"""How do I release what people answered so that no answer tells their income?"""

import mechdesign as md

# Made up: how 4,000 people go to work, by three bands of income.
ANSWERS = {
    ("low", "bus"): 750, ("low", "bicycle"): 450, ("low", "car"): 300,
    ("middle", "bus"): 450, ("middle", "bicycle"): 600, ("middle", "car"): 450,
    ("high", "bus"): 200, ("high", "bicycle"): 200, ("high", "car"): 600,
}  # fmt: skip
rows = [answer for answer, people in ANSWERS.items() for _ in range(people)]
table = {"income": [income for income, _ in rows], "mode": [mode for _, mode in rows]}

graph = md.graph_from_table(table, profile="income", value="mode", profiles=["low", "middle", "high"], public=True)
design = md.design(graph, epsilon=0.5, shared=True)  # one matrix: whoever answers need not say their income
released = md.sanitise(design.mechanism, table["mode"], seed_not_for_release=1)  # without a seed in earnest
found = md.estimate(design.mechanism, released)

print(f"An answer becomes a given other one with probability {float(design.value):.4f} at most;")
print(f"k-ary randomised response needs {float(design.baseline):.4f}.")
for mode, share in found.profiles["all"].items():
    true = table["mode"].count(str(mode)) / len(rows)
    print(f"{mode}: {share.estimate:.3f}, between {share.low:.3f} and {share.high:.3f}; in truth {true:.3f}")
md.save_figure(md.plot_matrices(design.mechanism), "survey.svg")
