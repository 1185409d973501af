"""Plots and text for people."""
