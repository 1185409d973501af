"""The files of a design: a mechanism is never written without the proof that was asked for."""

from mechdesign.certificate.certificate_file import certificate_writer
from mechdesign.designer.result import Design
from mechdesign.errors import InputError
from mechdesign.files.documents import json_writer
from mechdesign.files.writing import Write, write_together
from mechdesign.mechanism.mechanism_file import mechanism_document


def write_design(result: Design, *, mechanism: str | None, certificate: str | None) -> None:
    """Write a design's mechanism and certificate, where they are wanted: both or neither.

    Raises
    ------
    InputError
        if there is no certificate, or a file cannot be written.
    """
    files: list[tuple[str, Write]] = []
    if certificate is not None:
        proof = _certificate(result, certificate, mechanism is not None)
        files.append((certificate, certificate_writer(proof, certificate)))
    if mechanism is not None:
        files.append((mechanism, json_writer(mechanism_document(result.mechanism), mechanism)))
    write_together(*files)


def _certificate(result: Design, path: str, with_mechanism: bool) -> object:
    try:
        return result.certificate
    except InputError as error:
        rest = "nothing was written; without --certificate the mechanism is, without a proof" if with_mechanism else ""
        raise InputError([f"{fault}; {rest}" if rest else fault for fault in error.faults], source=path) from None
