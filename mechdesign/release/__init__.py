"""Release: mechanisms applied to data of any size, with bits that nobody can foresee, and what follows from it."""
