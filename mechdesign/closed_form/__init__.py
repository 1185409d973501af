"""Mechanisms that have a formula, exact: one file per formula."""
