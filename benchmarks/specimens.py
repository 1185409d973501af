"""The zoo: mechanisms that other packages make, the epsilon they claim, and what holds exactly.

Each specimen is made by the package itself, read without rounding (`adapters`) and certified. A package
that is not installed is a row that says so.
"""

from itertools import combinations
from typing import Any

import networkx as nx
import numpy as np
from adapters import (
    from_diffprivlib,
    from_multi_freq_ldpy,
    from_opendp,
    from_pure_ldp,
)
from adapters.pure_ldp import unary_encoding
from doubles import clip_and_renormalise, k_ary_in_doubles, rising
from specimen import FLOORS, Caught, Specimen

from mechdesign.arrays import Floats
from mechdesign.graph.values import counting_graph
from mechdesign.mechanism.from_matrix import mechanism_from_matrix
from mechdesign.packages import load


def _distance(k: int) -> Floats:
    return np.abs(np.subtract.outer(np.arange(k), np.arange(k))).astype(float)


def _recipe(k: int, epsilon: float, loss: str) -> Specimen:
    def catch() -> Caught:
        table = _distance(k) if loss == "absolute" else 1 - np.eye(k)
        return Caught(mechanism_from_matrix(clip_and_renormalise(k, epsilon, table)), epsilon)

    words = "HiGHS, clip negatives, renormalise"
    return Specimen("scipy", words, f"k = {k}, epsilon = {epsilon:g}, {loss} loss", catch)


def _k_ary(k: int, epsilon: float) -> Specimen:
    return Specimen(
        "numpy",
        "k-ary randomised response in doubles",
        f"k = {k}, epsilon = {epsilon:g}",
        lambda: Caught(mechanism_from_matrix(k_ary_in_doubles(k, epsilon)), epsilon),
    )


def _qif_closed_form(name: str, k: int, epsilon: float) -> Specimen:
    def catch() -> Caught:
        qif: Any = load("qif", needs=FLOORS["libqif"])
        forms, distance = qif.mechanism.d_privacy, qif.metric.scale(qif.metric.euclidean(), epsilon)
        if name == "exponential":
            return Caught(mechanism_from_matrix(forms.exponential(k, distance)), epsilon, counting_graph(k - 1))
        graph = counting_graph(k - 1) if name == "geometric" else None
        return Caught(mechanism_from_matrix(getattr(forms, name)(k, epsilon)), epsilon, graph)

    return Specimen("libqif", name.replace("_", " "), f"k = {k}, epsilon = {epsilon:g}", catch)


def _qif_program(k: int, loss: str, solver: str = "AUTO", *, slow: bool = False) -> Specimen:
    def catch() -> Caught:
        qif: Any = load("qif", needs=FLOORS["libqif"])
        losses = {"0-1": qif.metric.discrete(), "absolute": qif.metric.euclidean()}
        answer = _qif_answer(qif, solver, rising(k), k, qif.metric.discrete(), losses[loss])
        return Caught(mechanism_from_matrix(answer), 1.0)

    parameters = f"k = {k}, epsilon = 1, {loss} loss" + ("" if solver == "AUTO" else f", solver {solver}")
    return Specimen("libqif", "min_loss_given_d, all pairs", parameters, catch, slow)


def _qif_chain(k: int, epsilon: float, *, slow: bool = False) -> Specimen:
    def catch() -> Caught:
        qif: Any = load("qif", needs=FLOORS["libqif"])
        near, chain = qif.metric.scale(qif.metric.euclidean(), epsilon), qif.metric.euclidean_chain()
        answer = _qif_answer(qif, "AUTO", np.full(k, 1 / k), k, near, qif.metric.discrete(), d_priv_ch=chain)
        return Caught(mechanism_from_matrix(answer), epsilon, counting_graph(k - 1))

    parameters = f"k = {k}, epsilon = {epsilon:g}, 0-1 loss"
    return Specimen("libqif", "min_loss_given_d, a count", parameters, catch, slow)


def _qif_answer(qif: Any, solver: str, *arguments: Any, **options: Any) -> Floats:
    """Return the answer of libqif's linear program, and leave its default solver as it was."""
    before = qif.lp.defaults.solver
    qif.lp.defaults.solver = solver
    try:
        return np.asarray(qif.mechanism.d_privacy.min_loss_given_d(*arguments, **options))
    finally:
        qif.lp.defaults.solver = before


def _opendp(k: int, prob: float) -> Specimen:
    def catch() -> Caught:
        dp: Any = load("opendp.prelude", needs=FLOORS["OpenDP"])
        dp.enable_features("contrib")
        measurement = dp.m.make_randomized_response(list(range(k)), prob)
        return Caught(from_opendp(measurement), measurement.map(1))

    return Specimen("OpenDP", "make_randomized_response", f"k = {k}, prob = {prob:g}, epsilon of map(1)", catch)


def _diffprivlib(name: str, parameters: str, epsilon: float, graph: nx.Graph | None = None, **options: Any) -> Specimen:
    def catch() -> Caught:
        mechanisms: Any = load("diffprivlib.mechanisms", needs=FLOORS["diffprivlib"])
        return Caught(from_diffprivlib(getattr(mechanisms, name)(epsilon=epsilon, **options)), epsilon, graph)

    return Specimen("diffprivlib", name, f"{parameters}, epsilon = {epsilon:g}", catch)


def _categorical(labels: str, epsilon: float) -> Specimen:
    utilities = [(a, b, 1.0) for a, b in combinations(labels, 2)]
    return _diffprivlib("ExponentialCategorical", f"k = {len(labels)}", epsilon, utility_list=utilities)


def _truncated(n: int, epsilon: float) -> Specimen:
    return _diffprivlib("GeometricTruncated", f"0..{n}", epsilon, counting_graph(n), lower=0, upper=n)


def _pure_ldp(name: str, k: int, epsilon: float, **options: Any) -> Specimen:
    return Specimen(
        "pure-ldp",
        name + (" (optimised)" if options.get("use_oue") else ""),
        f"k = {k}, epsilon = {epsilon:g}",
        lambda: Caught(from_pure_ldp(_pure_ldp_client(name, k, epsilon, **options)), epsilon),
    )


def _pure_ldp_before(k: int, epsilon: float) -> Specimen:
    def catch() -> Caught:
        client = _pure_ldp_client("UEClient", k, epsilon)
        return Caught(unary_encoding(k, client.p, client.q, clears=False), epsilon)

    return Specimen("pure-ldp", "UEClient as before 1.2.0 (issue 11)", f"k = {k}, epsilon = {epsilon:g}", catch)


def _pure_ldp_client(name: str, k: int, epsilon: float, **options: Any) -> Any:
    folder = {"DEClient": "direct_encoding", "UEClient": "unary_encoding"}[name]
    module: Any = load(f"pure_ldp.frequency_oracles.{folder}", needs=FLOORS["pure-ldp"])
    return getattr(module, name)(epsilon, k, **options)


def _multi_freq(k: int, epsilon: float) -> Specimen:
    def catch() -> Caught:
        load("multi_freq_ldpy", needs=FLOORS["multi-freq-ldpy"])
        return Caught(from_multi_freq_ldpy(k, epsilon), epsilon)

    return Specimen("multi-freq-ldpy", "GRR_Client, by its p", f"k = {k}, epsilon = {epsilon:g}", catch)


SPECIMENS: tuple[Specimen, ...] = (
    _recipe(8, 1.0, "absolute"),
    _recipe(12, 2.0, "0-1"),
    _recipe(16, 2.0, "absolute"),
    _recipe(24, 1.0, "absolute"),
    _k_ary(2, 1.0),
    _k_ary(4, 1.0),
    _qif_closed_form("randomized_response", 5, 1.0),
    _qif_closed_form("randomized_response", 10, 1.0),
    _qif_closed_form("geometric", 3, 1.0),
    _qif_closed_form("geometric", 50, 1.0),
    _qif_closed_form("exponential", 10, 1.0),
    _qif_program(16, "0-1"),
    _qif_program(32, "0-1"),
    _qif_program(48, "0-1", slow=True),
    _qif_program(16, "0-1", "GLOP"),
    _qif_program(32, "absolute", "GLOP"),
    _qif_program(16, "absolute", "SOPLEX"),
    _qif_program(32, "0-1", "SOPLEX"),
    _qif_program(48, "0-1", "SOPLEX", slow=True),
    _qif_chain(16, 1.0),
    _qif_chain(32, 1.0),
    _qif_chain(64, 0.5, slow=True),
    _opendp(2, 0.75),
    _opendp(5, 0.9),
    _diffprivlib("Binary", "k = 2", 1.0, value0="no", value1="yes"),
    _categorical("abcd", 1.0),
    _truncated(5, 1.0),
    _truncated(10, 3.0),
    _truncated(14, 3.0),
    _pure_ldp("DEClient", 5, 0.5),
    _pure_ldp("DEClient", 4, 1.0),
    _pure_ldp("UEClient", 4, 1.0),
    _pure_ldp("UEClient", 4, 1.0, use_oue=True),
    _pure_ldp_before(4, 1.0),
    _multi_freq(4, 2.0),
    _multi_freq(4, 1.0),
)
