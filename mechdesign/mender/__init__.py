"""Mending: in go a mechanism and the pairs of profiles that must not be told apart; out comes the nearest private one.

What the mechanism releases is a profile graph, whose categories are its outputs. The nearest mechanism is the design
for that graph, and comes with its proof: no private one is nearer.
"""
