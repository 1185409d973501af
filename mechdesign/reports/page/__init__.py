"""Reports: one HTML file that says in words, tables and pictures what a file of ours proves, and what it does not."""
