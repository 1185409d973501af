"""What the parts of a report told."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from mechdesign.certificate.checked import Checked
from mechdesign.certificate.claim import Kind
from mechdesign.designer.curve_of_designs import Curve
from mechdesign.reports.page.privacy_curve import PrivacyCurve
from mechdesign.reports.page.refuted import Refuted
from mechdesign.reports.page.subject import Subject
from mechdesign.reports.report_parts import Part


@dataclass(frozen=True)
class Given:
    """What the files told.

    Attributes
    ----------
    subject
        the mechanism, with what is proved of it; None if there are only curves or a graph.
    proof
        those of a certificate or refutation.
    digest
        of the mechanism's file as it is first written; None if no mechanism was given.
    notes
        what a mechanism's file says of itself.
    read
        what there is to be said of a matrix that was read: what was normalised, what its rounding may have done.
    privacy_held
        whether the privacy curve was computed anew, and is the mechanism's.
    graph, manifest
        what a graph says of itself, and what was written beside sanitised data.
    title, purpose
        as whoever made the report calls what it is about.
    """

    sources: Sequence[Part]
    subject: Subject | None = None
    proof: Checked | None = None
    digest: str | None = None
    notes: Mapping[str, Any] | None = None
    read: Sequence[str] = ()
    sweep: Curve | None = None
    privacy: PrivacyCurve | None = None
    privacy_held: bool = False
    commands: Sequence[str] = ()
    graph: Mapping[str, Any] | None = None
    manifest: Mapping[str, Any] | None = None
    title: str | None = None
    purpose: str | None = None

    @property
    def kinds(self) -> set[str]:
        """Which files there are."""
        return {source.what for source in self.sources}

    @cached_property
    def refuted(self) -> Refuted | None:
        """What a refutation shows, if one is among them."""
        if self.subject is None or self.proof is None or self.proof.claim.kind is not Kind.REFUTATION:
            return None
        return Refuted(self.proof, self.subject)
