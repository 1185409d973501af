"""Rounding: in go a problem, a solver's answer and a value to reach; out come rows of integers, private exactly.

`exact_rows` is the way in; for models in cvxpy `model_rows`, for One Bit Cluster `flip`.
"""
