"""How a design is found, by name."""

from collections.abc import Iterable
from enum import StrEnum

from mechdesign.errors import InputError
from mechdesign.objective import checked_objective
from mechdesign.objective.by_model import ByModel
from mechdesign.problem import Problem
from mechdesign.solver.command import words_of
from mechdesign.words import expected_one_of


class Method(StrEnum):
    """How a design is found."""

    AUTO = "auto"
    STRUCTURED = "structured"
    HIGHS = "highs"
    REFERENCE = "reference"
    ONE_BIT_CLUSTER = "one-bit-cluster"
    COMMAND = "command"


def checked_method(objective: object, method: str, shared: bool, command: str | None) -> Method:
    """Return the method that these arguments of `design` ask for.

    Raises
    ------
    InputError
        if they do not go together.
    """
    goal = checked_objective(objective)
    if method not in list(Method):
        raise InputError(f"method: {expected_one_of(Method, method)}")
    if isinstance(goal, ByModel) and (command is not None or method not in (Method.AUTO, Method.REFERENCE)):
        asked = method if command is None else "command"
        raise InputError(f'the objective {goal.name} goes through cvxpy: method "auto" or "reference", found "{asked}"')
    if shared and method in (Method.STRUCTURED, Method.ONE_BIT_CLUSTER):
        raise InputError(f'{method} has no form for one shared matrix; use method "auto", "highs" or "reference"')
    if command is None and method == Method.COMMAND:
        raise InputError('method "command": expected a command too, such as "solver {mps} {solution}"')
    if command is None:
        return Method(method)
    if method not in (Method.AUTO, Method.COMMAND):
        raise InputError(f'a command is a method of its own; found the method "{method}" too')
    words_of(command)
    return Method.COMMAND


ROBUST = (Method.AUTO, Method.REFERENCE)
"""The methods for profiles known only within bounds."""


def check_robust(method: Method, problems: Iterable[Problem]) -> None:
    """Raise an InputError if a method cannot solve all of these problems: some know profiles only within bounds."""
    if method not in ROBUST and any(problem.uncertain is not None for problem in problems):
        raise InputError(
            f"method {method} has no form for profiles known only within bounds; use {' or '.join(ROBUST)}, or take "
            "their distributions alone (nominal=True)"
        )
