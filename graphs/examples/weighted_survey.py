"""My sample has weights: what are the weighted shares, and their errors, in what was released?"""

import mechdesign as md

# Made up: home and degree, weight, vote, how many. Those with a degree answer more readily, and count for less.
SAMPLE = [
    ("town, degree", 0.6, "left", 500), ("town, degree", 0.6, "right", 200), ("town, degree", 0.6, "other", 300),
    ("town", 1.4, "left", 300), ("town", 1.4, "right", 400), ("town", 1.4, "other", 200),
    ("country, degree", 0.6, "left", 250), ("country, degree", 0.6, "right", 300),
    ("country, degree", 0.6, "other", 50), ("country", 1.4, "left", 200), ("country", 1.4, "right", 700),
    ("country", 1.4, "other", 100),
]  # fmt: skip
rows = [row[:3] for row in SAMPLE for _ in range(row[3])]
table = {name: [row[column] for row in rows] for column, name in enumerate(("home", "weight", "vote"))}

# The weight is released as it is and tells the degree, so that the degree is in the profile: no vote tells more of it.
graph = md.graph_from_table(table, profile="home", value="vote", weight="weight", public=True)
design = md.design(graph, epsilon=0.5, shared=True)
released = md.sanitise(design.mechanism, table["vote"], seed_not_for_release=1)  # without a seed in earnest
degree = ["degree" if row[1] < 1 else "no degree" for row in rows]

for name, weight in {"each person once": None, "weighted": table["weight"]}.items():
    share = md.estimate(design.mechanism, released, weight=weight).profiles["all"]["right"]
    print(f"right, {name}: {share.estimate:.3f}, standard error {share.se:.3f}")
found = md.estimate(design.mechanism, released, weight=table["weight"], profile=degree)
md.save_figure(md.plot_estimates(found), "weighted_survey.svg")
