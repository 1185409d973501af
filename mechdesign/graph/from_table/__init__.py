"""From a table of records to a profile graph: one profile per person, role or place, by counting.

Room of its own: `distinct` (tables brought down to the rows that differ), `row_weights`, `reading` (by which rule a
cell becomes a category), `alphabet` and `split` (several columns: together, or each by itself), `columns` (these rows,
with every fault in them), `records`, `histogram` (counts to distributions: exact, noised, rounded), `confidence` and
`count_ranges` (how far from these the true profiles may be), `guarantee` (what that says), `pairs` (who must not be
told apart), `disclosure` (who may see what), `making`.
"""

from mechdesign.graph.cell_labels import ELSEWHERE as ELSEWHERE
from mechdesign.graph.cell_labels import MISSING_WORDS as MISSING_WORDS
from mechdesign.graph.cell_labels import Missing as Missing
from mechdesign.graph.cell_labels import Reading as Reading
from mechdesign.graph.cell_labels import reading_of as reading_of
from mechdesign.graph.from_table.confidence import Of as Of
from mechdesign.graph.from_table.confidence import grown as grown
from mechdesign.graph.from_table.confidence import guarantee_in as guarantee_in
from mechdesign.graph.from_table.confidence import level_in as level_in
from mechdesign.graph.from_table.confidence import noise_in as noise_in
from mechdesign.graph.from_table.distinct import distinct as distinct
from mechdesign.graph.from_table.making import graph_from_table as graph_from_table
from mechdesign.graph.from_table.pairs import Header as Header
from mechdesign.graph.from_table.split import graphs_from_table as graphs_from_table
