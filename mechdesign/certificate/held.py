"""A proof held against what its reader wanted: the first thing in which the two claims, or their rows, differ."""

from collections.abc import Iterator

from mechdesign.certificate.checked import Checked
from mechdesign.certificate.claim import Claim, Kind
from mechdesign.certificate.differences import of_edges, of_missing_pairs, of_objective, of_profiles
from mechdesign.certificate.rows import of_other_rows, of_released, of_rows, only_releases_alike
from mechdesign.certificate.wanted import Wanted
from mechdesign.certificate.wished import wished, with_profiles
from mechdesign.certificate.written import written_labels
from mechdesign.errors import InputError
from mechdesign.exact.numbers import Epsilon
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.objective import Objective

OTHER_MATRIX = "it was made from another matrix than yours: "
INPUTS = "; your profiles are the matrix' inputs here: if they are others, give your graph"
LIMITS = "; if your edges have limits of their own, give your graph too"


def first_difference(proof: Checked, wanted: Wanted) -> str | None:
    """Return in a sentence the first thing in which a proof differs from what is wanted; None if in nothing.

    Raises
    ------
    InputError
        if what is wanted does not go with such a proof.
    """
    return next(_differences(proof, wanted), None)


def by_release(proof: Checked, wanted: Wanted) -> bool:
    """Return whether the mechanism wanted is compared by what comes out, as of what was mended."""
    if wanted.mechanism is None:
        return False
    alone = wanted.graph is None and wanted.objective is None  # an objective is about matrices
    return wanted.mended_from is not None or (alone and only_releases_alike(proof, wanted.mechanism))


def _is_by_name(claim: Claim, mechanism: Mechanism) -> bool:
    """Return whether profiles have the names of the claim's, and categories do not: what comes out can be compared."""
    categories, profiles = map(set, map(written_labels, (mechanism.categories, mechanism.profiles)))
    return categories != set(claim.categories) and not profiles.isdisjoint(claim.names)


def _differences(proof: Checked, wanted: Wanted) -> Iterator[str]:
    """Yield what differs; whatever comes after the first may rest on what is the same up to there."""
    found = proof.claim
    if wanted.objective is not None and found.kind is Kind.REFUTATION:
        raise InputError("objective: a refutation has none")
    if found.kind is Kind.FORMULA and (wanted.mechanism is not None or wanted.mended_from is not None):
        yield "the certificate is about the optimum alone: it has no mechanism like yours"
    if wanted.mended_from is not None:
        yield from _of_mended(found)
    if wanted.profiles is not None:
        remark = "" if wanted.mended_from is None else OTHER_MATRIX
        yield from (remark + words for words in of_profiles(found, with_profiles(found, wanted.profiles)))
    elif wanted.all_pairs:
        yield from of_missing_pairs(found)
    asked = wished(found, wanted)
    if wanted.profiles is None:
        yield from _of_no_edges(found, wanted.epsilon, wanted)
        yield from (words + LIMITS for words in of_edges(found, asked))
    else:
        yield from of_edges(found, asked)
    if proof.formula is not None:
        yield from proof.formula.beyond(wanted.epsilon, wanted.delta)
    if wanted.objective is not None and not (isinstance(wanted.objective, Objective) and wanted.objective.certified):
        yield f"no certificate states the objective {wanted.objective.name}: of such a design it proves privacy alone"
    yield from of_objective(found, asked)
    if wanted.mechanism is not None:
        yield from _of_mechanism(proof, wanted.mechanism, wanted)


def _of_mended(found: Claim) -> Iterator[str]:
    """Yield how a claim does not say of a mechanism that none is nearer to the one that was mended."""
    if found.kind is Kind.REFUTATION:
        yield "it is a refutation, and not about a mechanism that was mended"
    elif not found.losses:
        yield f"it is about the objective {found.objective}, and not about a mechanism that was mended"
    elif found.matrices < len(found.profiles):
        yield "it compares with mechanisms alone that change several profiles alike: others may be nearer"


def _of_no_edges(found: Claim, epsilon: Epsilon | None, wanted: Wanted) -> Iterator[str]:
    """Yield that nobody is protected, where an epsilon or delta is asked for."""
    if not found.edges and epsilon != float("inf") and (epsilon, wanted.delta) != (None, None):
        yield "the certificate has no edges: no two profiles are protected from being told apart"


def _of_mechanism(proof: Checked, mechanism: Mechanism, wanted: Wanted) -> Iterator[str]:
    """Yield differences in the matrices; and in the profiles that a mechanism brings, where no graph does.

    A matrix serves any profiles; its inputs count as such where every pair is wanted.
    """
    if wanted.mended_from is not None:
        yield from of_released(proof, mechanism, wanted.graph)
        return
    if by_release(proof, wanted):
        return
    if wanted.graph is None and _is_by_name(proof.claim, mechanism):
        yield from of_released(proof, mechanism, None)
    if wanted.graph is None and (wanted.all_pairs or not mechanism.is_matrix):
        differences = of_profiles(proof.claim, with_profiles(proof.claim, mechanism.graph))
        yield from (words + INPUTS * mechanism.is_matrix for words in differences)
    yield from of_rows(proof, mechanism)
    if isinstance(wanted.objective, Objective) and not wanted.objective.takes_loss:
        yield from of_other_rows(proof, mechanism, wanted.objective)
