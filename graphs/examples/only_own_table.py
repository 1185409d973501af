"""All that I have is my own table: can the design be made from it, and the guarantee still hold?"""

import mechdesign as md

# Made up, and not public. Exact frequencies would tell about the people, so that the counts are noised first.
COUNTS = [
    ("day", "calm", 1500), ("day", "busy", 750), ("day", "fault", 150),
    ("late", "calm", 1100), ("late", "busy", 400), ("late", "fault", 200),
    ("night", "calm", 900), ("night", "busy", 150), ("night", "fault", 150),
]  # fmt: skip
table = {name: [row[column] for row in COUNTS] for column, name in enumerate(("shift", "state", "people"))}
graph = md.graph_from_table(
    table,
    profile="shift",
    value="state",
    count="people",
    profiles=["day", "late", "night"],
    categories=["calm", "busy", "fault"],
    noise=1,  # the epsilon of the noised counts
    confidence=0.95,  # with this probability the true profiles are within the bounds, for all of which the design holds
)
design = md.design(graph, epsilon=0.5)
nominal = md.design(graph, epsilon=0.5, nominal=True)
print(f"A state is reported as a given other one with probability {float(design.value):.2f} at most;")
print(f"without the bounds {float(nominal.value):.2f} would do, and nothing would be promised of the true profiles.")
md.save_figure(md.plot_graph(graph, design.mechanism), "only_own_table.svg")
