"""Which released probabilities a problem cannot tell apart, and the smaller problem of their classes."""
