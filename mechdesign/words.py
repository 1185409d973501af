"""Words that depend on a number."""


def counted(number: int, what: str) -> str:
    """Return a number of things in words; `what` is the singular.

    Examples
    --------
    >>> counted(1, "edge"), counted(2, "transition probability"), counted(0, "profile")
    ('1 edge', '2 transition probabilities', '0 profiles')
    """
    if number == 1:
        return f"1 {what}"
    return f"{number} {what[:-1]}ies" if what.endswith("y") else f"{number} {what}s"
