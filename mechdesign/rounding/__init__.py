"""From a solver's doubles to exactly private rows."""
