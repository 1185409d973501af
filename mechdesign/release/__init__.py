"""Mechanisms applied to data: sampling, streams, estimates, composition."""
