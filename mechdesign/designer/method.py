"""How a design is found, by name."""

from enum import StrEnum

from mechdesign.errors import InputError
from mechdesign.objective import checked_objective
from mechdesign.objective.modelled import ByModel
from mechdesign.solver.command import words_of
from mechdesign.words import expected_one_of


class Method(StrEnum):
    """How a design is found."""

    AUTO = "auto"
    STRUCTURED = "structured"
    HIGHS = "highs"
    REFERENCE = "reference"
    ONE_BIT_CLUSTER = "one-bit-cluster"
    PDLP = "pdlp"
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
    if shared and method in (Method.STRUCTURED, Method.ONE_BIT_CLUSTER, Method.PDLP):
        raise InputError(f'{method} has no form for one shared matrix; use method "auto", "highs" or "reference"')
    if command is None and method == Method.COMMAND:
        raise InputError('method "command": expected a command too, such as "solver {mps} {solution}"')
    if command is None:
        return Method(method)
    if method not in (Method.AUTO, Method.COMMAND):
        raise InputError(f'a command is a method of its own; found the method "{method}" too')
    words_of(command)
    return Method.COMMAND
