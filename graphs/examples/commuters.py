"""May everybody see from which side somebody commutes, but nobody from which suburb?"""

import mechdesign as md

graph = md.read_graph("commutes")  # edges join the two suburbs in the north, and the two in the south
design = md.design(graph, epsilon=0.5, objective=md.ExpectedLoss())

print(f"{float(design.value):.1%} of all commutes change, {float(design.baseline):.1%} by k-ary response.")
for price in design.prices():
    print(f"{' and '.join(map(str, price.edge))}: {float(price.epsilon) / 10:.2%} fewer for each 0.1 of epsilon.")
md.save_figure(md.plot_graph(graph, design.mechanism, prices=design.prices()), "commuters.svg")
