"""Mechanisms: one row of probabilities for each profile and category, ours exact, others' in doubles."""
