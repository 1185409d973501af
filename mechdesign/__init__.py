"""mechdesign: design, prove, certify and apply least-distorting privacy mechanisms, in exact arithmetic."""

from mechdesign.closed_form import k_ary as k_ary
from mechdesign.designer import Design as Design
from mechdesign.designer import design as design
from mechdesign.errors import InputError as InputError
from mechdesign.errors import MechdesignError as MechdesignError
from mechdesign.errors import SolverError as SolverError
from mechdesign.graph import counting_graph as counting_graph
from mechdesign.graph import profile_graph as profile_graph
from mechdesign.graph import value_graph as value_graph
from mechdesign.graph_file import read_graph as read_graph
from mechdesign.graph_file import shipped_graphs as shipped_graphs
from mechdesign.graph_file import write_graph as write_graph
from mechdesign.mechanism import Mechanism as Mechanism
from mechdesign.mechanism import mechanism_from_matrix as mechanism_from_matrix
from mechdesign.mechanism import read_mechanism as read_mechanism
from mechdesign.mechanism import write_mechanism as write_mechanism
from mechdesign.objective import ExpectedLoss as ExpectedLoss
from mechdesign.objective import MaxOffDiagonal as MaxOffDiagonal
from mechdesign.objective import WorstLoss as WorstLoss
from mechdesign.tables import graph_from_table as graph_from_table
