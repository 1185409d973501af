"""From a table of records to a profile graph: one profile per person, role or place, by counting.

Room of its own: `distinct` (tables brought down to the rows that differ), `row_weights`, `columns` (these rows, with
every fault in them, and the records that they are), `alphabet` and `split` (several columns: together, or each by
itself), `histogram` (counts to distributions: exact, noised, rounded), `confidence` and `count_ranges` (how far from
these the true profiles may be, and what that guarantees), `pairs` (who must not be told apart), `making`.
"""
