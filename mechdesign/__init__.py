"""mechdesign: design, prove and certify least-distorting privacy mechanisms, in exact arithmetic.

A profile graph (`profile_graph`, `value_graph`, `counting_graph`, `database_graph`, `graph_from_table`, `read_graph`)
says who must not be told apart; `design` returns the best mechanism for it, `certify` judges any; `check_certificate`
checks a proof. `help(mechdesign.design)` and so on say more. A float given as an argument is the decimal that it prints
as: 0.7 is 7/10. Entries of matrices, tables and distributions are the doubles that they are. Tags in
brackets name the papers that results are from:

- [GC] Geumlek and Chaudhuri, Profile-based Privacy for Locally Private Computations, 2019, arXiv:1903.09084
- [HLM] Holohan, Leith and Mason, Differentially Private Response Mechanisms on Categorical Data, arXiv:1505.07254
- [ND] Naldi and D'Acquisto, Differential Privacy for Counting Queries: Can Bayes Estimation Help Uncover the True
  Value?, arXiv:1407.0116
- [SM] Sarathy and Muralidhar, Differential Privacy for Numeric Data, UNECE/Eurostat work session, Bilbao 2009

ERR-2.4 and the like number what in these papers needs mending; `mechdesign reproduce` computes their results anew and
says where they differ.
"""

from mechdesign.late import homes_in, passing_on

# Where each name is from. It is imported when it is first asked for, so that nobody waits for what they do not use.
_HOMES = homes_in(__file__ + "i")
_passed_on = passing_on(__name__, _HOMES)


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import version

        return version("mechdesign")
    return _passed_on(name)


__all__ = sorted([*_HOMES, "__version__"])


def __dir__() -> list[str]:
    return __all__
