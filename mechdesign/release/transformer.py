"""A mechanism as a transformer of scikit-learn, for pipelines. Needs scikit-learn: the extra `sklearn`."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from mechdesign.errors import InputError
from mechdesign.exact.text import shown
from mechdesign.graph.cell_labels import Missing
from mechdesign.mechanism.given import Given, known_mechanism
from mechdesign.release.in_memory import sanitise
from mechdesign.release.label_columns import Rule
from mechdesign.release.sanitiser import Sanitiser


class SanitisingTransformer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Sanitises every column of X with one mechanism, each cell with coins of its own.

    `fit` only checks that the cells are the mechanism's categories; it learns nothing from the data. `transform` draws
    anew each time, so transform an observation once and keep what came out: releases of the same observation do not
    compose. Several columns are so many releases about each row, whose epsilons add up where the columns are
    independent. Use `sklearn.compose.ColumnTransformer` for columns with mechanisms of their own.

    Parameters
    ----------
    mechanism
        a mechanism, a design, a matrix, or the name of a file of one; its categories are the values in X.
    profile
        the column of X that names the row's profile: by its name where X is a table, else by its position. It is not
        among the columns that come out. Not needed if all profiles have the same rows.

    Attributes
    ----------
    mechanism_
        the mechanism.
    profile_
        the position of the column that names the profile, or None.
    n_features_in_, feature_names_in_
        as everywhere in scikit-learn.

    References
    ----------
    [GC] Geumlek and Chaudhuri 2019, arXiv:1903.09084: Observations 4 and 5, what composes.

    Examples
    --------
    >>> from mechdesign import mechanism_from_matrix
    >>> swap = mechanism_from_matrix([[0, 1], [1, 0]], inputs=["no", "yes"])
    >>> SanitisingTransformer(swap).fit_transform([["no"], ["yes"], ["yes"]]).tolist()
    [['yes'], ['no'], ['no']]
    """

    def __init__(self, mechanism: Given, *, profile: str | int | None = None) -> None:
        self.mechanism = mechanism
        self.profile = profile

    def fit(self, X: Any, y: Any = None) -> "SanitisingTransformer":
        """Check the mechanism, and that the cells of X are its categories.

        Raises
        ------
        InputError
            if they are not, with their number and the first of them; if there is no such profile column.
        """
        del y
        self.mechanism_ = replace(known_mechanism(self.mechanism))  # what it computes and keeps is not the parameter's
        cells = validate_data(self, X, dtype=None)
        self.profile_ = self._profile_position()
        for name, values, profiles in self._columns(cells):
            column = None if profiles is None else "profile"
            sanitiser = Sanitiser(self.mechanism_, value=name, profile=column, **self._reading())
            sanitiser.known(values, *([] if profiles is None else [profiles]))
            sanitiser.finish()
        return self

    def transform(self, X: Any) -> npt.NDArray[Any]:
        """Return X with each cell sanitised, without the column of profiles.

        Raises
        ------
        InputError
            if a cell is none of the categories, or names no profile.
        """
        check_is_fitted(self)
        cells = validate_data(self, X, dtype=None, reset=False)
        reading = self._reading()
        columns = self._columns(cells)
        return np.column_stack([sanitise(self.mechanism_, cells, profile=who, **reading) for _, cells, who in columns])

    def get_feature_names_out(self, input_features: Any = None) -> npt.NDArray[np.object_]:
        """Return the names of the columns that come out: those of X without the column of profiles."""
        names: npt.NDArray[np.object_] = super().get_feature_names_out(input_features)
        return names if self.profile_ is None else np.delete(names, self.profile_)

    def _reading(self) -> Rule:
        """Return the rule by which cells are read: that of the mechanism's graph, but no row is left out."""
        missing = self.mechanism_.reading.missing
        return {"missing": Missing.ERROR if missing == Missing.DROP else missing, "missing_profile": Missing.ERROR}

    def _columns(self, cells: npt.NDArray[Any]) -> Iterator[tuple[str, list[Any], list[Any] | None]]:
        """Yield the name, the values and the profiles of each column that is sanitised."""
        names = getattr(self, "feature_names_in_", [f"column {j}" for j in range(cells.shape[1])])
        profiles = None if self.profile_ is None else cells[:, self.profile_].tolist()
        for j, name in enumerate(names):
            if j != self.profile_:
                yield str(name), cells[:, j].tolist(), profiles

    def _profile_position(self) -> int | None:
        if self.profile is None:
            return None
        names = list(getattr(self, "feature_names_in_", range(self.n_features_in_)))
        if self.profile not in names:
            raise InputError(f"profile: expected one of the columns {shown(names)}, found {shown(self.profile)}")
        if len(names) == 1:
            raise InputError(f"X: there is no column to sanitise, only {shown(self.profile)}, the profiles'")
        return names.index(self.profile)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = tags.input_tags.string = True
        tags.non_deterministic = True
        tags.transformer_tags.preserves_dtype = []
        return tags
