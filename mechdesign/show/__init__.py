"""What anybody is told: an `Answer`, as JSON, on a terminal, in a notebook, on a page; it knows no results."""
