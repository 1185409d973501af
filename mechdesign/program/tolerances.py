"""The tolerances of what is found in doubles, each for all ways; none decides whether anything is private."""

VIOLATION = 1e-11
"""A row that was left out and is violated by less is not added: rounding to exact rows mends so little. A row that is
less than this below its bound is taken to bind. With 1e-12 in its place, which rounding errors of sums over many
outputs hardly allow, design "bell 12 0.5 30 max-off-diagonal none" takes 13 solves, not 8."""

NEARLY_BINDS = 0.02
"""A row nearly binds if it is within this share of an output's mean probability 1/m of its bound."""

FEW_NEW = 0.01
"""Share of the rows up to which new ones are few: what was found without them is then a good start, and rounds that are
solved to few digits are over. Without any start the worst loss of 40 points in the plane takes 6.6 s of processor time,
not 4.2 s."""

DETOUR = 1.2
"""How much longer than a pair's own distance a way through others may be, so that the pair is left out until it is
violated: few of these bind. Of 40 points in the plane the worst loss, epsilon 0.5 and 1, takes 1.5 and 0.9 s of
processor time, with 1.05 in its place 2.8 and 2.2 s, with 1.4 4.5 and 1.0 s, and with all pairs at once 3.2 and 2.6 s;
the expected loss of 100 points, epsilon 0.5, takes 2.5 s, with 1.05 3.3 s."""

MOST_ROUNDS = 100
"""Rounds of rows or columns that are added where they are missed, before a search is given up."""

MOST_PROJECTED = 15_000
"""Transition probabilities of single values up to which the nearest design is searched for where an optimum that needs
no other way is not the only one. Of a count that is the geometric mechanism's best remap: by what its multipliers tell
of all optima the nearest is found in 0.2 s of processor time for a count of 80 with a binomial prior and Hamming loss,
but not for 100, where it takes 0.5 s in vain. The worst absolute loss of a count of 100 takes 0.1 s, the worst Hamming
loss 0.5 s."""
