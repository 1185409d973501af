"""Refusing what would not fit in memory, before it is made."""

from mechdesign.errors import InputError


def check_size(size: int, most: int, sentence: str, remedy: str) -> None:
    """Raise an InputError if something would be larger than what fits in memory comfortably.

    Raises
    ------
    InputError
        naming the size and the remedy.
    """
    if size > most:
        raise InputError(f"too large: {sentence.format(f'{size:,}')}, expected at most {most:,}; {remedy}")
