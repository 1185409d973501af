"""The optimisation problem as sparse matrices: in every matrix entry (transport), or in what is released only."""
