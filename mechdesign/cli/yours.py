"""A reader's own mechanism, read so that it can be held against a certificate or refutation."""

from contextlib import suppress
from typing import Any

import networkx as nx

from mechdesign.certificate.held import graph_in, only_releases_alike
from mechdesign.errors import InputError
from mechdesign.files.delimited import Layout
from mechdesign.mechanism.foreign import read_foreign
from mechdesign.mechanism.mechanism import Mechanism


def read_yours(c: Any, graph: nx.Graph | None, path: str, layout: Layout, normalise: bool) -> Mechanism:
    """Return your mechanism; its inputs are the certificate's categories, or else profiles, as of what was mended.

    Raises
    ------
    InputError
        if the file is no mechanism.
    """
    alone = None
    if graph is None:
        with suppress(InputError):
            alone = read_foreign(path, layout=layout, normalise=normalise)
    if alone is not None and only_releases_alike(c, alone):
        return alone
    return read_foreign(path, graph or graph_in(c), layout=layout, normalise=normalise)
