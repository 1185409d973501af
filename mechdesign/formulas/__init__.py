"""The optimum as an exact function of e^epsilon, or of delta: its pieces, and a proof of them."""
