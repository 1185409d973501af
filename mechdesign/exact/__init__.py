"""Exact numbers: what a user writes as a rational, and rational bounds of e^epsilon.

Nothing in this room rounds without saying in its name in which direction.
"""
