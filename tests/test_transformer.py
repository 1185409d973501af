"""The transformer of scikit-learn: what it releases, what it refuses, and scikit-learn's own checks of an estimator."""

import pickle
from typing import Any

import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils.estimator_checks import check_estimator

import mechdesign as md
from mechdesign import InputError
from mechdesign.release.transformer import SanitisingTransformer

SWAP = md.mechanism_from_matrix([[0, 1], [1, 0]], inputs=["no", "yes"])
CHAIN = md.design("categorical-chain", epsilon=0.5).mechanism
NUMBERS = range(-10, 20)
"""More than the integers that scikit-learn's checks make for estimators of categories."""
IDENTITY = md.mechanism_from_matrix([[int(x == y) for y in NUMBERS] for x in NUMBERS], inputs=NUMBERS)


class Certain(SanitisingTransformer):
    """Says that it draws nothing, which holds of the identity: then scikit-learn checks more."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.non_deterministic = False
        return tags


DRAWN_ANEW = "transforms twice, and compares: each transformation draws anew"
NOT_PASSED = {
    "check_estimators_pickle": DRAWN_ANEW,
    "check_fit_idempotent": DRAWN_ANEW,
    "check_pipeline_consistency": "scikit-learn passes over it where an estimator draws",
    "check_transformer_data_not_an_array": "scikit-learn passes over it where an estimator draws",
    "check_transformer_general": "scikit-learn passes over it where an estimator draws",
    "check_array_api_input": "scikit-learn passes over it unless SCIPY_ARRAY_API is set",
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("estimator", "not_passed"),
    [
        (SanitisingTransformer(md.k_ary(NUMBERS, epsilon=1)), set(NOT_PASSED)),
        (Certain(IDENTITY), {"check_array_api_input"}),
    ],
    ids=["k-ary", "identity"],
)
def test_checks_of_scikit_learn(estimator: SanitisingTransformer, not_passed: set[str]) -> None:
    results = check_estimator(estimator, on_skip=None, on_fail=None)
    assert len(results) > 40
    found = {result["check_name"]: result["exception"] for result in results if result["status"] != "passed"}
    assert found.keys() == not_passed, found


def test_tables_columns_and_names() -> None:
    X = pd.DataFrame({"one": ["1", "2"], "job": ["P1", "P1"], "two": ["3", "4"]})
    transformer = SanitisingTransformer(CHAIN, profile="job").set_output(transform="pandas")
    released = transformer.fit_transform(X)
    assert transformer.get_feature_names_out().tolist() == ["one", "two"]
    assert transformer.profile_ == 1
    pd.testing.assert_frame_equal(released, X[["one", "two"]].astype(object), check_dtype=False)  # P1 is unchanged


def test_copies_draw_for_themselves() -> None:
    """No generator is copied or pickled: two copies of a fitted transformer release differently."""
    X = [["no"]] * 256
    fitted = SanitisingTransformer(md.k_ary(["no", "yes"], epsilon=0)).fit(X)
    copies = [pickle.loads(pickle.dumps(fitted)) for _ in range(2)]
    first, second, third = (one.transform(X).tolist() for one in (fitted, *copies))
    assert first != second != third != first  # the same once in 2^256 times


@pytest.mark.parametrize(
    ("transformer", "X", "message"),
    [
        (SanitisingTransformer(SWAP), [["no", "maybe"]], "column 1.*text in row 1"),
        (SanitisingTransformer(SWAP), pd.DataFrame({"answer": ["no", "perhaps"]}), "answer.*text in row 2"),
        (SanitisingTransformer(CHAIN), [["1"]], "profile: the mechanism has 3 matrices for its 3 profiles"),
        (SanitisingTransformer(CHAIN, profile=0), [["P9", "1"]], "profile.*text in row 1"),
        (SanitisingTransformer(CHAIN, profile=2), [["P1", "1"]], r"profile: expected one of the columns \[0, 1\]"),
        (SanitisingTransformer(CHAIN, profile="jub"), pd.DataFrame({"job": ["P1"]}), "expected one of the columns"),
        (SanitisingTransformer(CHAIN, profile=0), [["P1"]], "no column to sanitise"),
        (SanitisingTransformer(SWAP), [["no", None]], "missing|None|NaN"),
        (SanitisingTransformer(3), [["no"]], "expected a Mechanism, found int"),
    ],
)
def test_fit_refuses(transformer: SanitisingTransformer, X: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        transformer.fit(X)


def test_transform_refuses_what_fit_had_not_seen() -> None:
    fitted = SanitisingTransformer(SWAP).fit([["no"]])
    with pytest.raises(InputError, match="text in row 1"):
        fitted.transform([["maybe"]])
    with pytest.raises(NotFittedError):
        clone(fitted).transform([["no"]])
