"""Files of any content into every command that reads them: an answer, or one error of ours, never a traceback."""

import contextlib
import json
import os
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

from command import run

import mechdesign as md
from attacks.changes import change

COMMANDS = {
    "graph.json": [
        "graph show {}", "design {} --epsilon 1", "formula {}", "certify mechanism.json --graph {} --epsilon 1",
        "check certificate.json --graph {}", "report mechanism.json {} -o page.html",
    ],
    "graph.graphml": ["graph show {}", "design {} --epsilon 1", "certify mechanism.json --graph {} --epsilon 1"],
    "bounds.json": ["design {} --epsilon 1", "certify mechanism.json --graph {}"],
    "mechanism.json": [
        "certify {} --epsilon 1", "certify {}", "mend {} --epsilon 1", "compose {} --releases 3 --delta 1e-6",
        "sanitise {} data.csv --value v --profile p -o out.csv --force", "export {} --to js -o out.js",
        "estimate {} data.csv --value v --profile p", "check certificate.json --mechanism {}",
        "report {} certificate.json -o page.html",
    ],
    "certificate.json": ["check {}", "check {} --graph graph.json --epsilon 1", "report {} -o page.html"],
    "certificate.json.gz": ["check {}"],
    "refutation.json": ["check {}", "report {} -o page.html"],
    "formula.json": ["check {}", "check {} --epsilon 1"],
    "curve.json": ["report {} -o page.html"],
    "matrix.csv": ["certify {} --epsilon 1", "mend {} --epsilon 1", "export {} --to npy -o out.npy"],
    "matrix.npy": ["certify {} --epsilon 1"],
    "matrix.json": ["certify {}"],
    "data.csv": [
        "graph from-table {} --profile p --value v --public", "estimate mechanism.json {} --value v --profile p",
        "sanitise mechanism.json {} --value v --profile p -o out.csv",
        "graph from-table {} --profile p --value v --confidence 0.9",
    ],
}  # fmt: skip
"""By file what reads it; each command in a folder of its own, where the other files are as they should be."""

WORDS = [
    "",
    "0",
    "-1",
    "1/0",
    "nan",
    "1e999",
    "9" * 1200,
    "\x00",
    "\ufeff",
    '"',
    ",",
    ";",
    "[",
    "{",
    "\n",
    "é",
    "\ud800",
]


@cache
def files() -> dict[str, bytes]:
    """Return the contents of files as they should be."""
    with _folder({}):
        graph = md.profile_graph(
            {"a": ["1/5", "4/5", 0], "b": ["2/5", "2/5", "1/5"]}, edges="all", categories=list("xyz")
        )
        md.write_graph(graph, "graph.json")
        md.write_graph(graph, "graph.graphml")
        graph.nodes["a"]["radius"] = "1/20"
        md.write_graph(graph, "bounds.json")
        _text("data.csv", "p,v,n\n" + "a,x,1\na,y,2\nb,z,3\nb,x,4\n" * 5)
        _text("matrix.csv", ",x,y\nx,0.9,0.1\ny,0.2,0.8\n")
        _text("matrix.json", "[[0.9, 0.1], [0.2, 0.8]]")
        for words in (
            "design graph.json --epsilon 1 -o mechanism.json --certificate certificate.json",
            "design graph.json --epsilon 1 --certificate certificate.json.gz",
            "design graph.json --epsilon 0.5,1 --curve curve.json",
            "formula graph.json --certificate formula.json",
            "export matrix.csv --to npy -o matrix.npy",
            "certify matrix.csv --epsilon 1 --certificate refutation.json",
        ):
            assert _status(words.split()) in (0, 1), words
        return {name: Path(name).read_bytes() for name in COMMANDS}


def attack(rng: Random) -> str:
    name = rng.choice(list(COMMANDS))
    content = files()[name]
    changed = as_json(content, rng) if name.endswith(".json") and rng.random() < 0.6 else as_bytes(content, rng)
    words = rng.choice(COMMANDS[name]).format(name).split()
    with _folder(files() | {name: changed}):
        status = _status(words)
    assert status in (0, 1, 2, 3), f"{words}: {status}"
    return f"{words[0]}: {status}"


def as_json(content: bytes, rng: Random) -> bytes:
    document = json.loads(content)
    for _ in range(rng.choice([1, 1, 2, 5])):
        change(document, rng)
    return json.dumps(document).encode()


def as_bytes(content: bytes, rng: Random) -> bytes:
    data = bytearray(content)
    for _ in range(rng.choice([1, 1, 3, 20])):
        start = rng.randrange(len(data) + 1)
        stop = min(len(data), start + rng.choice([0, 1, 1, 5, 50]))
        match rng.randrange(4):
            case 0:
                data[start:stop] = rng.choice(WORDS).encode("utf-8", "surrogatepass")
            case 1:
                data[start:stop] = rng.randbytes(stop - start)
            case 2:
                data[start:start] = data[start:stop] * rng.choice([1, 2, 30])
            case _:
                del data[start : rng.choice([stop, stop, len(data)])]
    return bytes(data)


def _text(name: str, content: str) -> None:
    Path(name).write_text(content, encoding="utf-8")


@contextlib.contextmanager
def _folder(content: dict[str, bytes]) -> Iterator[None]:
    """Be in a new folder with these files, which is the user's home too."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.environ["XDG_STATE_HOME"] = folder
        for name, data in content.items():
            Path(name).write_bytes(data)
        try:
            yield
        finally:
            os.chdir(before)


def _status(words: list[str]) -> int:
    """Return the exit status of a command; what is no error of ours is raised."""
    return run(*words).status
