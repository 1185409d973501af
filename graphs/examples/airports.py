"""How is a place released if near places are to look alike, and far ones need not?"""

import mechdesign as md

AIRPORTS = {
    "airport": ["Berlin", "Frankfurt", "Hamburg", "London", "Munich", "Paris", "Vienna"],
    "latitude": [52.3667, 50.0333, 53.6304, 51.4706, 48.3538, 49.0097, 48.1103],
    "longitude": [13.5033, 8.5706, 9.9882, -0.4619, 11.7861, 2.5479, 16.5697],
}
graph = md.point_graph(AIRPORTS, at=["latitude", "longitude"], label="airport", unit="km")
design = md.design(graph, epsilon="0.004", objective=md.ExpectedLoss(md.distances(graph)))  # epsilon for each km

print(f"On average the released airport is {float(design.value):.0f} km from the true one;")
print(f"no mechanism that is as private does better than {float(design.bound):.0f} km.")
md.save_figure(md.plot_matrices(design.mechanism), "airports.svg")
