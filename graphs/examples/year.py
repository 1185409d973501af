"""A machine reports once a month: what do the twelve reports of a year tell together of whose it is?"""

import mechdesign as md

design = md.design("resource-usage", epsilon=0.2)
deltas = ["1e-9", "1e-6", "1e-4", "0.001", "0.005", "0.01", "0.02", "0.04", "0.06", "0.08", "0.1", "0.15", "0.2"]
year = {delta: md.compose(design, releases=12, delta=delta).epsilon[1] for delta in deltas}

print("Twelve times 0.2 is epsilon = 2.4.")
for delta in ("1e-6", "0.001", "0.01"):
    print(f"At delta = {delta} the year is {year[delta]:.4f}-private.")
curve = [(epsilon, float(delta), float(delta)) for delta, epsilon in year.items()]
md.save_figure(md.plot_curve(curve, asked=(2.4, 0)), "year.svg")
