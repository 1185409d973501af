"""The files of certificates and refutations: JSON, compressed where the name ends in .gz."""

import os
from typing import Any

from mechdesign.errors import InputError
from mechdesign.files.documents import json_writer
from mechdesign.files.writing import Write, write_together


def write_certificate(certificate: dict[str, Any], path: str | os.PathLike[str]) -> None:
    """Write a certificate or a refutation, such as `Design.certificate`; the file appears whole or not at all.

    Under a name that ends in .gz it is compressed, the same certificate always to the same bytes. `check_certificate`,
    the commands and checker.py read either.

    Parameters
    ----------
    certificate
        its JSON value.
    path
        where to; a file that is there is replaced.

    Raises
    ------
    InputError
        if it is no certificate but what has one, its value has no form in JSON, or the file cannot be written.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> import mechdesign as md
    >>> result = md.design(md.read_graph("bernoulli-couplet"), epsilon=1)
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "proof.json.gz"
    >>> md.write_certificate(result.certificate, file)
    >>> md.check_certificate(file) == (result.value, result.bound)
    True
    """
    check_no_result(certificate, "a certificate")
    write_together((path, certificate_writer(certificate, path)))


def check_no_result(given: object, expected: str) -> None:
    """Raise an InputError if a design or so was given in place of its certificate."""
    if hasattr(given, "certificate"):
        raise InputError(f"expected {expected}, found {type(given).__name__}; give its `.certificate`")


def certificate_writer(certificate: object, path: str | os.PathLike[str]) -> Write:
    """Return what `write_certificate` writes with, for `write_together`.

    Raises
    ------
    InputError
        if the value has no form in JSON.
    """
    return json_writer(certificate, path, packed=os.fspath(path).lower().endswith(".gz"))
