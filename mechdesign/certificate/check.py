"""`check_certificate`: what `checker.py` does, from Python."""

import json
import os
from pathlib import Path
from typing import Any

from mechdesign.certificate.checker import Rejected, check


def check_certificate(certificate: str | os.PathLike[str] | dict[str, Any]) -> tuple[Any, Any]:
    """Verify a certificate, a file or its JSON value, and return its exact (value, bound).

    Raises
    ------
    Rejected
        with the reason, if it does not prove what it states or is no certificate.

    Examples
    --------
    >>> import mechdesign as md
    >>> result = md.design(md.read_graph("categorical-chain"), epsilon=0.5)
    >>> md.check_certificate(result.certificate) == (result.value, result.bound)
    True
    """
    if isinstance(certificate, dict):
        return check(_text(certificate))
    try:
        text = Path(certificate).read_text(encoding="utf-8")
    except OSError as error:
        raise Rejected(2, f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise Rejected(2, "cannot be read: expected JSON text, found binary data") from None
    return check(text)


def _text(document: dict[str, Any]) -> str:
    try:
        return json.dumps(document)
    except (TypeError, ValueError, RecursionError) as error:
        raise Rejected(2, f"not a certificate: {error}") from None
