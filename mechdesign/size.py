"""Refusing what would not fit in memory, before it is made."""

from mechdesign.errors import InputError


def check_size(size: int, most: int, sentence: str, remedy: str) -> None:
    """Raise an InputError if something would be larger than what fits in memory comfortably.

    The sentence says what would be how large, with {} for the size.

    Raises
    ------
    InputError
        naming the size, the most there may be and the remedy.

    Examples
    --------
    >>> check_size(2_000, 1_000, "all pairs are {} edges", "join fewer")
    Traceback (most recent call last):
    mechdesign.errors.InputError: too large: all pairs are 2,000 edges, expected at most 1,000; join fewer
    """
    if size > most:
        raise InputError(f"too large: {sentence.format(f'{size:,}')}, expected at most {most:,}; {remedy}")
