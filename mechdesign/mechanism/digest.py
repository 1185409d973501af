"""The digest of a mechanism: which mechanism it was, said in 64 characters."""

import hashlib
import json

from mechdesign.mechanism.mechanism import Mechanism, mechanism_document


def digest(mechanism: Mechanism) -> str:
    """Return the SHA-256 of what a mechanism's file holds but for its `notes`, which are no part of the mechanism.

    What is hashed is that JSON value with its keys sorted, without blanks, all beyond ASCII escaped: the digest does
    not change where a file is laid out anew.

    Examples
    --------
    >>> from mechdesign import mechanism_from_matrix
    >>> digest(mechanism_from_matrix([["3/4", "1/4"], ["1/4", "3/4"]]))[:16]
    'e26de4799f8d0d3f'
    """
    content = {key: part for key, part in mechanism_document(mechanism).items() if key != "notes"}
    return hashlib.sha256(json.dumps(content, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
