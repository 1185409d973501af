"""What a VIPR file proves, by the format's own words (version 1.0), of continuous variables and `lin` alone."""

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction

Row = tuple[str, Fraction, dict[int, Fraction]]
"""E, G or L, the right side, and the entries."""


class VIPR:
    """A file: its objective and rows, what it says, and its only solution and derivation."""

    def __init__(self, text: str) -> None:
        words = iter(text.split())
        self._expect(words, "VER", "1.0", "VAR")
        self.names = [next(words) for _ in range(int(next(words)))]
        self._expect(words, "INT", "0", "OBJ", "min")
        self.objective = self._entries(words)
        self._expect(words, "CON")
        count, _ = int(next(words)), next(words)
        self.rows = [self._row(words) for _ in range(count)]
        self._expect(words, "RTP", "range")
        self.low, self.high = Fraction(next(words)), Fraction(next(words))
        self._expect(words, "SOL", "1", "mechanism")
        self.solution = self._entries(words)
        self._expect(words, "DER", "1", "bound", "G")
        self.proved = Fraction(next(words))
        self._expect(words, "OBJ", "{", "lin")
        self.multipliers = self._entries(words)
        self._expect(words, "}", "-1")
        assert not list(words)

    @staticmethod
    def _expect(words: Iterator[str], *expected: str) -> None:
        for word in expected:
            assert next(words) == word

    @staticmethod
    def _entries(words: Iterator[str]) -> dict[int, Fraction]:
        return {int(next(words)): Fraction(next(words)) for _ in range(int(next(words)))}

    def _row(self, words: Iterator[str]) -> Row:
        next(words)
        return next(words), Fraction(next(words)), self._entries(words)

    def is_feasible(self) -> bool:
        """Whether the solution satisfies every row."""
        holds = {"E": Fraction.__eq__, "G": Fraction.__ge__, "L": Fraction.__le__}
        return all(holds[sense](self._at(entries), right) for sense, right, entries in self.rows)

    def value(self) -> Fraction:
        """Return the objective of the solution."""
        return self._at(self.objective)

    def _at(self, entries: dict[int, Fraction]) -> Fraction:
        return sum((entry * self.solution.get(i, Fraction(0)) for i, entry in entries.items()), Fraction(0))

    def bound(self) -> Fraction | None:
        """Return what the derivation proves the objective to be at least, or None if it proves nothing of it."""
        total, derived = Fraction(0), defaultdict[int, Fraction](Fraction)
        for number, times in self.multipliers.items():
            sense, right, entries = self.rows[number]
            if times * {"E": 0, "G": 1, "L": -1}[sense] < 0:
                return None
            total += times * right
            for i, entry in entries.items():
                derived[i] += times * entry
        return total if {i: entry for i, entry in derived.items() if entry} == self.objective else None
