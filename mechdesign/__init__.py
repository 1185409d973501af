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

from io import open_code

# Where each name is from. It is imported when it is first asked for, so that nobody waits for what they do not use.
with open_code(__file__ + "i") as _names:
    _LINES = [line.decode().split() for line in _names if line.startswith(b"from ")]
_HOMES = {name: home.partition(".")[2] or name for _, home, _, name, *_ in _LINES}


def __getattr__(name: str) -> object:
    """Return one of these names; it is then kept."""
    if name == "__version__":
        from importlib.metadata import version

        return version("mechdesign")
    if name not in _HOMES:
        raise AttributeError(f"module 'mechdesign' has no attribute {name!r}")
    from importlib import import_module

    module = import_module(f"mechdesign.{_HOMES[name]}")
    globals()[name] = found = module if name == _HOMES[name] else getattr(module, name)
    return found


__all__ = sorted([*_HOMES, "__version__"])


def __dir__() -> list[str]:
    return __all__
