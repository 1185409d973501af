"""How does the least distortion depend on epsilon, for every epsilon at once?"""

import mechdesign as md

SHARES = {"day": ["0.5", "0.3", "0.2"], "late": ["0.4", "0.3", "0.3"], "night": ["0.2", "0.2", "0.6"]}
graph = md.profile_graph(SHARES, edges=[("day", "late"), ("late", "night")], categories=["calm", "busy", "fault"])
found = md.formula(graph)

print(f"With z = e^epsilon the largest off-diagonal entry is, from {len(found.pieces)} pieces:")
for piece in found.pieces:
    print(piece)
md.save_figure(md.plot_formula(found), "small_formula.svg")
