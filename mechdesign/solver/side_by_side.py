"""Several problems as one, of which each is a part that no edge joins to others: arrays are then made once for all."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from mechdesign.privacy.cover import Cover
from mechdesign.problem import Problem


def side_by_side(problems: Sequence[Problem]) -> Problem:
    """Return the problem of all profiles, one problem after the other; they have one objective and the same outputs.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from mechdesign import MaxOffDiagonal
    >>> from mechdesign.privacy.requirement import Requirement
    >>> edges = (Requirement(0, 1, Fraction(1), Fraction(0)),)
    >>> one = Problem([[Fraction(1), Fraction(0)]] * 2, edges, MaxOffDiagonal(), np.ones(2), False)
    >>> both = side_by_side([one, one])
    >>> [(edge.first, edge.second) for edge in both.required], both.part_of.tolist()
    ([(0, 1), (2, 3)], [0, 0, 1, 1])
    """
    sizes = [len(problem.exact) for problem in problems]
    starts = np.cumsum([0, *sizes]).tolist()
    pairs, cliques, required = [], [], []
    for start, problem in zip(starts, problems, strict=False):
        cliques += [
            replace(clique, members=tuple(start + i for i in clique.members)) for clique in problem.cover.cliques
        ]
        moved = [replace(edge, first=start + edge.first, second=start + edge.second) for edge in problem.required]
        left = set(map(id, problem.cover.pairs))
        pairs += [there for edge, there in zip(problem.required, moved, strict=True) if id(edge) in left]
        required += moved
    result = replace(
        problems[0],
        exact=list(chain.from_iterable(problem.exact for problem in problems)),
        required=tuple(required),
        weights=np.concatenate([problem.weights for problem in problems]),
        of=np.repeat(np.arange(len(problems)), sizes),
    )
    # What is known of each is not found again.
    vars(result).update(profiles=np.concatenate([one.profiles for one in problems]), cover=Cover(cliques, pairs))
    return result
