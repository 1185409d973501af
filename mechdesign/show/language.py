"""What pages say, in a language: sentences with placeholders, which stand in one file for each language."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from html import escape, unescape
from importlib import resources
from typing import Any

from mechdesign.show.fact_numbers import Exact, Within, number_of
from mechdesign.words import NAMED

PLACEHOLDER = re.compile(r"\\{(\w+)\\}")
"""In a sentence whose letters are escaped."""
NUMBER = re.compile(r"-?\d[\d,]*(\.\d+)?(e-?\d+)?")
"""As English writes it."""
FILES = resources.files("mechdesign.show") / "languages"


@dataclass(frozen=True)
class Language:
    """A language, by its code in HTML, and what is said in it.

    Examples
    --------
    >>> Language("en")("word.and", first="a", last="b"), Language("de").shown(Exact(1234.5))
    ('a and b', '1234,5')
    """

    code: str

    @cached_property
    def sentences(self) -> dict[str, str]:
        """All sentences, by their names with dots."""
        return dict(_flat(tomllib.loads((FILES / f"{self.code}.toml").read_text(encoding="utf-8"))))

    def __call__(self, key: str, **values: Any) -> str:
        """Return a sentence with its placeholders filled in: by text, by numbers, or by lists of these."""
        return self.sentences[key].format(**{name: self.shown(value) for name, value in values.items()})

    def count(self, key: str, n: int, **values: Any) -> str:
        """Return a sentence about so many things, which stands in the file for one and for more."""
        return self(f"{key}.{'one' if n == 1 else 'more'}", n=n, **values)

    def shown(self, cell: Any) -> str:
        """Return a cell of a table, or what fills in a placeholder, as it is written in the language."""
        if isinstance(cell, list | tuple):
            return self.listed([self.shown(one) for one in cell])
        number = number_of(cell)
        if isinstance(number, Within):
            return self("word.range", low=number.ends()[0], high=number.ends()[1])
        if isinstance(number.value, bool) and not (isinstance(number, Exact) and number.said):
            return self("word.yes" if number.value else "word.no")
        words = number.words()
        return words.translate(self._marks) if is_number(number) else words

    def known(self, group: str, words: str) -> str:
        """Return English words from a file in this language, if they are among the sentences of a group.

        What fills in a placeholder is a name, a number or another sentence of the group.
        """
        for key, pattern in ENGLISH.patterns.items():
            if key.startswith(f"{group}.") and (found := re.fullmatch(pattern, words)):
                parts = {name: self._part(group, said) for name, said in found.groupdict().items()}
                return self.sentences[key].format(**parts)
        return words

    def figure(self, svg: str) -> str:
        """Return a figure that was drawn in English with its words and numbers in this language."""
        return svg if self == ENGLISH else re.sub(r"(?<=>)[^<>]*[a-z0-9][^<>]*(?=<)", self._in_figure, svg)

    def _in_figure(self, found: re.Match[str]) -> str:
        return escape(self._part("figure", unescape(found[0])), quote=False)

    def _part(self, group: str, words: str) -> str:
        """Return what fills in a placeholder."""
        return words.translate(self._marks) if NUMBER.fullmatch(words) else self.known(group, words)

    @cached_property
    def patterns(self) -> dict[str, str]:
        """What each sentence looks like when its placeholders are filled in, as a regular expression."""
        return {key: PLACEHOLDER.sub(r"(?P<\1>.*?)", re.escape(words)) for key, words in self.sentences.items()}

    def listed(self, names: Sequence[str]) -> str:
        """Return names as one says them."""
        *others, last = names
        return self("word.and", first=", ".join(others), last=last) if others else last

    def few(self, names: Sequence[Any], most: int = NAMED + 1) -> str:
        """Return the first of many names, and how many more there are."""
        texts = [str(name) for name in names]
        rest = len(texts) - most + 1
        return self.listed(texts if rest <= 1 else [*texts[: most - 1], self("word.others", n=rest)])

    @cached_property
    def _marks(self) -> dict[int, str]:
        """What the marks of decimals and of thousands become."""
        return str.maketrans({".": self("word.decimal"), ",": self("word.thousands")})


ENGLISH = Language("en")


def codes() -> list[str]:
    """Return which languages there are."""
    return sorted(path.name.removesuffix(".toml") for path in FILES.iterdir() if path.name.endswith(".toml"))


def is_number(cell: Any) -> bool:
    """Return whether a cell is a number, whatever its words say of it."""
    if isinstance(cell, Exact):
        return isinstance(cell.value, int | float | Fraction) and not isinstance(cell.value, bool)
    return not isinstance(cell, str) and number_of(cell) is cell


def in_order(cell: Any) -> float | None:
    """Return the number by which a column is sorted; None of what is no number."""
    if not is_number(cell):
        return None
    value = cell.low if isinstance(cell, Within) else cell.value
    try:
        return None if value is None else float(value)
    except OverflowError:
        return float("inf")


def _flat(sentences: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    for name, value in sentences.items():
        if isinstance(value, str):
            yield before + name, value
        else:
            yield from _flat(value, f"{before}{name}.")
