"""What is promised of places: a factor for each unit of distance, and so the less the farther two of them are apart."""

from dataclasses import dataclass
from fractions import Fraction

from mechdesign.reports.page.subject import Subject
from mechdesign.reports.page.written_numbers import limit, ratio, surest
from mechdesign.show.language import Language


@dataclass(frozen=True)
class ByDistance:
    """Epsilon per unit of distance, at most; and of the nearest and of the farthest pair, distance and epsilon."""

    rate: Fraction
    nearest: tuple[Fraction, Fraction]
    farthest: tuple[Fraction, Fraction]
    unit: str | None

    @classmethod
    def of(cls, subject: Subject) -> "ByDistance | None":
        """Return what is proved by distance; None where distances are not known or alike, or there is a delta.

        The proof has an epsilon for each edge, the mechanism's or the graph's file the distance.
        """
        proved, own = subject.proved, subject.told
        if proved is None or proved.delta or own is None or not subject.values:
            return None
        pairs = []
        for a, b, asked in proved.graph.edges(data=True):
            there = own.edges[a, b] if own.has_edge(a, b) else {}
            far, epsilon = there.get("distance"), asked.get("epsilon")
            if not far or epsilon is None or "epsilon" in there:
                return None
            pairs.append((far, epsilon))
        if not pairs or min(pairs)[0] == max(pairs)[0]:
            return None
        return cls(max(epsilon / far for far, epsilon in pairs), min(pairs), max(pairs), own.graph.get("unit"))

    def promise(self, key: str, say: Language, *, releases: int = 1) -> str:
        """Return a sentence with the factor for a unit of distance, after so many releases."""
        rate = releases * self.rate
        return say(key, unit=self.unit or say("word.unit"), factor=ratio(rate), epsilon=limit(rate))

    def meaning(self, say: Language) -> str:
        """Return what that is for the nearest two and for the farthest two."""
        ends: dict[str, object] = {}
        for name, (far, epsilon) in (("near", self.nearest), ("far", self.farthest)):
            ends |= {name: limit(far), f"{name}_epsilon": limit(epsilon), f"{name}_sure": surest(epsilon)}
        return say("meaning.distance", unit=self.unit or say("word.units"), **ends)
