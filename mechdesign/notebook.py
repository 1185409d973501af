"""What notebooks ask of a result: how it looks, and its numbers as a table of pandas."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from mechdesign.errors import InputError

if TYPE_CHECKING:
    import pandas as pd


SHOWN_BY = "mechdesign.reports.in_notebook"
"""The one module that is reached upwards, by its name and only when a notebook shows a result: no result rests on it.
"""


class InNotebooks:
    """A result that notebooks show as small tables and pictures, in HTML in which every name is text."""

    def _repr_html_(self) -> str:
        html: str = import_module(SHOWN_BY).html(self)
        return html


def frame(
    columns: Mapping[Any, Any], index: Sequence[Sequence[object]] = (), names: Sequence[str] = ()
) -> "pd.DataFrame":
    """Return columns as a table of pandas; `index` has the labels of its rows, level by level, with these names.

    Raises
    ------
    InputError
        if pandas is not installed.

    Examples
    --------
    >>> print(frame({"share": [0.25, 0.75]}, [["all", "all"], ["no", "yes"]], ["profile", "category"]))
                      share
    profile category
    all     no         0.25
            yes        0.75
    """
    try:
        import pandas as pd
    except ImportError:
        raise InputError("to_frame: pandas is not installed: pip install 'mechdesign[pandas]'") from None
    rows = None
    if len(index) == 1:
        rows = pd.Index(list(index[0]), name=names[0])
    elif index:
        rows = pd.MultiIndex.from_arrays([list(level) for level in index], names=list(names))
    return pd.DataFrame(dict(columns), index=rows)
