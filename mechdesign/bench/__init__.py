"""How solvers scale: families of graphs x sizes x methods, each run in a process of its own."""
