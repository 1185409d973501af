"""From a solver's doubles to mechanisms that are private exactly, with proofs."""
