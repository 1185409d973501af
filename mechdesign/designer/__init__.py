"""From a profile graph to the least-distorting mechanism."""
