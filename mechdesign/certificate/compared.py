"""A reader's mechanism, read so that it can be compared with a certificate or refutation."""

from contextlib import suppress
from functools import partial

import networkx as nx

from mechdesign.certificate.checked import Checked
from mechdesign.certificate.rows import only_releases_alike
from mechdesign.errors import InputError
from mechdesign.files.delimited import Layout
from mechdesign.mechanism.foreign import read_foreign
from mechdesign.mechanism.mechanism import Mechanism


def read_compared(
    proof: Checked,
    graph: nx.Graph | None,
    path: str,
    layout: Layout,
    normalise: bool,
    *,
    mended: bool = False,
    matrices: bool = False,
) -> Mechanism:
    """Return the mechanism in a file; its inputs are the certificate's categories, or profiles, as of a mended one.

    Of what is known to be mended its profiles are its own, or the graph's; where `matrices` count, as for an objective,
    they are no profiles.

    Raises
    ------
    InputError
        if the file is no mechanism.
    """
    read = partial(read_foreign, path, layout=layout, normalise=normalise)
    if mended or graph is not None:
        return read(graph)
    try:
        alone = read()
    except InputError:  # such as matrices by profile, which need a graph
        return read(proof.claim.bare_graph())
    if not matrices and only_releases_alike(proof, alone):
        return alone
    with suppress(InputError):  # it has other inputs than the certificate: it is another mechanism
        return read(proof.claim.bare_graph())
    return alone
