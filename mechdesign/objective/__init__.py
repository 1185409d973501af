"""What a design minimises: MaxOffDiagonal, ExpectedLoss, WorstLoss and others, and all that depends on which it is.

With A^i the transition matrix of profile i and P_i its distribution, a profile's cost is its largest off-diagonal
entry max_{x != y} A^i_xy ([GC] (5)), or its expected loss sum_x P_i(x) sum_y A^i_xy l(x, y).

`base` lists what an objective is asked. A new one is a file here that answers, its entry in `by_name`, and its branch
in the certificate's checker, which imports nothing of ours. `loss` lists what a loss is asked; one with a name is a
class in `named_losses`, and `parsed_loss` reads what a user writes. Those that are written down in cvxpy (`by_model`)
are made a model of a whole graph; whatever turns out to be linear in it (`affine`, `forced`) is used as such. Plans of
transport, from a distribution to what is released, are in `transport_plans` and `capped_plans`.
"""

from mechdesign.objective.base import Goal as Goal
from mechdesign.objective.base import LossTable as LossTable
from mechdesign.objective.base import Objective as Objective
from mechdesign.objective.base import profile_shares as profile_shares
from mechdesign.objective.base import profile_weights as profile_weights
from mechdesign.objective.by_model import Convex as Convex
from mechdesign.objective.by_name import CERTIFIED as CERTIFIED
from mechdesign.objective.by_name import OBJECTIVES as OBJECTIVES
from mechdesign.objective.by_name import checked_objective as checked_objective
from mechdesign.objective.expected_loss import ExpectedLoss as ExpectedLoss
from mechdesign.objective.largest_cost import LargestCost as LargestCost
from mechdesign.objective.max_off_diagonal import MaxOffDiagonal as MaxOffDiagonal
from mechdesign.objective.mutual_information import MutualInformation as MutualInformation
from mechdesign.objective.named_losses import DISTANCE_LOSSES as DISTANCE_LOSSES
from mechdesign.objective.named_losses import LOSS_WORDS as LOSS_WORDS
from mechdesign.objective.named_losses import NAMED_LOSSES as NAMED_LOSSES
from mechdesign.objective.weighted_off_diagonal import WeightedOffDiagonal as WeightedOffDiagonal
from mechdesign.objective.worst_loss import WorstLoss as WorstLoss
