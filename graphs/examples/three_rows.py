"""A database of three rows is released as a whole: can anything beat changing each row by itself?"""

import mechdesign as md

graph = md.database_graph([0, 1], 3)  # all eight databases; edges join those that differ in one row
design = md.design(graph, epsilon=1, objective=md.WorstLoss("rows"))
print(f"The best of all mechanisms changes {float(design.value):.6f} rows, in the worst database.")

alone = md.optimal_product_sanitisation([0, 1], epsilon=1)
flipped = alone.row(0, 0)[1]
print(f"Each row by itself, flipped with probability {float(flipped):.6f}, changes {3 * float(flipped):.6f}: as few.")
md.save_figure(md.plot_matrices(design.mechanism), "three_rows.svg")
