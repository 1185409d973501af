"""The tolerances of what is found in doubles, each for all ways; none decides whether anything is private."""

ROUNDING = 1e-14
"""What rounding errors leave of numbers of size 1 that cancel out."""

VIOLATION = 1e-11
"""A row that was left out and is violated by less is not added: rounding to exact rows mends so little. A row that is
less than this below its bound is taken to bind. With 1e-12 in its place, which rounding errors of sums over many
outputs hardly allow, design "bell 12 0.5 30 max-off-diagonal none" takes 13 solves, not 8."""

COUNTS, LEFT = 1e-9, 1e-8
"""By complementary slackness all optima meet a limit with equality if its multiplier counts, as it does from the first
share of the largest on, and one optimum leaves less than the second. On rings, trees and grids of up to 500 profiles
one of the two is above 1e-9 and the other below 1e-9, mostly by three digits."""

NEARLY_BINDS = 0.02
"""A row nearly binds if it is within this share of an output's mean probability 1/m of its bound."""

FEW_NEW = 0.01
"""Share of the rows up to which new ones are few: what was found without them is then a good start, and rounds that are
solved to few digits are over. Without any start all pairs of 60 points take 15 s of processor time, not 6 s; with one
from every vertex 100 points take over 300 s."""

MOST_ROUNDS = 100
"""Rounds of rows or columns that are added where they are missed, before a search is given up."""
