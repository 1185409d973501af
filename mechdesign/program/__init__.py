"""From a problem to linear and quadratic programs, as sparse matrices; from multipliers of rows to those of pairs."""
