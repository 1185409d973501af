"""The digest of a mechanism: which mechanism it was, said in 64 characters."""

import hashlib

from mechdesign.files.documents import dump_json
from mechdesign.mechanism.file import mechanism_document
from mechdesign.mechanism.mechanism import Mechanism


def digest(mechanism: Mechanism) -> str:
    """Return the SHA-256 of the file that `write_mechanism` writes, as `sha256sum` prints it for that file.

    Examples
    --------
    >>> from mechdesign import mechanism_from_matrix
    >>> digest(mechanism_from_matrix([["3/4", "1/4"], ["1/4", "3/4"]]))[:16]
    '1ec2bad2eb29f3a4'
    """
    return hashlib.sha256((dump_json(mechanism_document(mechanism)) + "\n").encode()).hexdigest()
