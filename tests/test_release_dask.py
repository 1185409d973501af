"""Sanitising with Dask, on a cluster of processes: the law, fresh bits in each worker, and what is refused."""

from collections.abc import Iterator
from typing import Any

import pandas as pd
import pytest
from scipy.stats import chisquare

import mechdesign as md
from mechdesign import InputError
from mechdesign.release.dask import sanitise_dask

pytestmark = pytest.mark.slow

CHAIN = md.design("categorical-chain", epsilon=0.5).mechanism
FAIR = md.k_ary(["no", "yes"], epsilon=0)
SWAP = md.mechanism_from_matrix([[0, 1], [1, 0]], inputs=["no", "yes"])


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    distributed: Any = pytest.importorskip("distributed")  # which takes a second to load
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0") as local,
        distributed.Client(local),
    ):
        yield


def frame(columns: dict[str, list[Any]], partitions: int) -> Any:
    whole: Any = pytest.importorskip("dask.dataframe")
    return whole.from_pandas(pd.DataFrame(columns), npartitions=partitions)


def test_the_law() -> None:
    data = frame({"job": ["P2", "P3"] * 10_000, "usage": ["3", "4"] * 10_000}, 4)
    lazy = sanitise_dask(CHAIN, data, value="usage", profile="job", keep=["job"], keep_anyway=True)
    assert lazy.npartitions == 4
    released = lazy.compute()
    assert list(released.columns) == ["job", "usage"]
    assert released["usage"].cat.categories.tolist() == list(CHAIN.outputs)
    for job, usage in (("P2", "3"), ("P3", "4")):
        drawn = released.loc[released["job"] == job, "usage"].tolist()
        expected = {y: 10_000 * float(p) for y, p in zip(CHAIN.outputs, CHAIN.row(job, usage), strict=True) if p}
        assert chisquare([drawn.count(y) for y in expected], list(expected.values())).pvalue > 1e-9


def test_no_two_partitions_and_no_two_computations_have_the_same_bits() -> None:
    lazy = sanitise_dask(FAIR, frame({"answer": ["no"] * 1024}, 4), value="answer")
    drawn = [tuple(part["answer"]) for _ in range(2) for part in (lazy.partitions[i].compute() for i in range(4))]
    assert [len(part) for part in drawn] == [256] * 8
    assert len(set(drawn)) == 8


def test_what_is_hidden_is_not_kept() -> None:
    with pytest.raises(InputError, match="keep: 'job' is what the mechanism hides"):
        sanitise_dask(CHAIN, frame({"job": ["P2"], "usage": ["3"]}, 1), value="usage", profile="job", keep=["job"])


def test_the_types_are_those_that_were_announced() -> None:
    data = frame({"answer": ["no", "yes"], "age": [1, 2], "town": ["Ulm", None]}, 2)
    lazy = sanitise_dask(SWAP, data, value="answer", keep=["town", "age"])
    released = lazy.compute()
    assert released.dtypes.to_dict() == lazy.dtypes.to_dict()
    assert released["answer"].tolist() == ["yes", "no"]
    assert released["age"].tolist() == [1, 2]
    assert not lazy.known_divisions


def test_missing_columns_are_refused_at_once() -> None:
    with pytest.raises(InputError, match="answr"):
        sanitise_dask(SWAP, frame({"answer": ["no"]}, 1), value="answr")
    with pytest.raises(InputError, match="profile: the mechanism has 3 matrices for its 3 profiles"):
        sanitise_dask(CHAIN, frame({"answer": ["no"]}, 1), value="answer")


def test_unknown_cells_are_refused_when_it_is_computed_or_left_out() -> None:
    data = frame({"answer": ["no", "yes", "perhaps", "no"]}, 2)
    with pytest.raises(InputError, match="none of the categories: text in row 1") as error:
        sanitise_dask(SWAP, data, value="answer").compute()
    assert "perhaps" not in str(error.value)
    assert len(sanitise_dask(SWAP, data, value="answer", unknown="drop")) == 3
