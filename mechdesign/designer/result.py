"""A design: a mechanism with what is known of it."""

from dataclasses import dataclass

from mechdesign.designer.design_answer import answer_of
from mechdesign.designer.designed import Designed
from mechdesign.show.answer import Answer
from mechdesign.show.as_blocks import Answering
from mechdesign.words import counted


@dataclass(frozen=True, eq=False, repr=False)
class Design(Designed, Answering):
    """A mechanism with what is known of it.

    Attributes
    ----------
    mechanism
        exactly private.
    graph
        the profile graph that it is for.
    epsilon, delta
        what was asked for; epsilon in nats.
    required
        what the edges require.
    value
        the objective's value, computed exactly from the mechanism; rounded up by 2^-120 at most where that would be
        thousands of digits long. In doubles for an objective of one's own that is not linear, nor a maximum of linear
        ones.
    objective
        what is least.
    method
        what was asked for, "auto" if nothing was.
    proof
        the bound and the multipliers behind it.
    bound_by
        "duality" for a bound that is proved in exact arithmetic; "solver" for what the solver says in doubles, which
        nobody has checked: only for an objective of one's own as above, or with other than linear constraints.
    free
        where the overall shares are kept, a design that need not keep them: what this costs.
    unbounded
        whether bounds around profiles were left out.
    scale_own
        whether epsilon is a multiple of the edges' own; those of `graph` are multiplied by it.
    stats
        seconds in all and by phase (the components' added up, wherever they ran), components, how many of them needed
        no noise, for how many any optimum had to do, for how many (`own_multipliers`) the bound is proved with our own
        solver's multipliers as the one that was asked gave none, how many went each `way`, in words, how many
        `ended` early and why, and for how many of these nothing was found in time (`unsearched`).
    """

    def __repr__(self) -> str:
        value, bound = float(self.value), float(self.bound)
        word = "" if self.bound_by == "duality" else "solver's "
        profiles = counted(len(self.graph), "profile")
        return f"Design({self.objective.name} = {value:.9g}, {word}bound {bound:.9g}, {profiles})"

    def answer(self) -> Answer:
        """Return what is told of it."""
        return answer_of(self)
