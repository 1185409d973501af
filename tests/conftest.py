"""Hypothesis: the same examples every time, and no deadline, since machines differ."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "same", max_examples=40, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("same")
