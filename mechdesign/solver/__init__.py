"""Ways to solve, one file each; every answer is in doubles, to be made exact afterwards."""
