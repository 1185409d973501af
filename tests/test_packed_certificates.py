"""Certificates in compressed files: written the same every time, read by all, and bounded in what they unpack to."""

import gzip
import io
import re
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from command import alone, refused, run

import mechdesign as md
from mechdesign.certificate import checker, formula_checker
from mechdesign.certificate.check import check_certificate
from mechdesign.files.documents import dump_json


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def certificate() -> dict[str, object]:
    return md.design(md.read_graph("categorical-chain"), epsilon=1).certificate


def test_the_same_certificate_in_fewer_bytes_and_always_in_the_same() -> None:
    document = certificate()
    for name in ("plain.json", "one.json.gz", "other.json.GZ"):
        md.write_certificate(document, name)
    one, other = (Path(name).read_bytes() for name in ("one.json.gz", "other.json.GZ"))
    assert one == other
    assert gzip.decompress(one).decode() == dump_json(document) + "\n" == Path("plain.json").read_text()
    assert len(one) < len(gzip.decompress(one)) / 2
    assert sorted(path.name for path in Path().iterdir()) == ["one.json.gz", "other.json.GZ", "plain.json"]
    assert check_certificate("one.json.gz") == check_certificate("plain.json") == check_certificate(document)


def test_the_old_file_stays_where_the_new_one_cannot_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("proof.json.gz").write_text("old")

    def full(_: Path, __: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(md.InputError, match=r"proof.json.gz: cannot be written: No space left on device"):
        md.write_certificate(certificate(), "proof.json.gz")
    assert [path.read_text() for path in Path().iterdir()] == ["old"]


def test_each_command_writes_and_reads_it() -> None:
    Path("vendor.csv").write_text(",no,yes\nno,0.9,0.1\nyes,0.2,0.8\n")
    Path("data.csv").write_text("id,answer\n1,yes\n2,no\n")
    graph = ["bernoulli-couplet", "--epsilon", "1"]
    sanitise = ["sanitise", "mended.json", "data.csv", "--value", "answer", "-o", "out.csv", "--proof"]
    for status, arguments in (
        (0, ["design", *graph, "-o", "made.json", "--certificate", "design.json.gz"]),
        (0, ["mend", "vendor.csv", "--epsilon", "1", "-o", "mended.json", "--certificate", "mend.json.gz"]),
        (1, ["certify", "vendor.csv", "--epsilon", "1", "--certificate", "refutation.json.gz"]),
        (0, ["certify", "vendor.csv", "--epsilon", "3", "--certificate", "private.json.gz"]),
        (0, ["formula", "bernoulli-couplet", "--certificate", "formula.json.gz"]),
        (0, [*sanitise, "mend.json.gz"]),
    ):
        assert run(*arguments).status == status
    for name, status in (("design", 0), ("mend", 0), ("refutation", 1), ("private", 0), ("formula", 0)):
        assert Path(f"{name}.json.gz").read_bytes().startswith(b"\x1f\x8b")
        by_itself = alone(formula_checker if name == "formula" else checker, f"{name}.json.gz")
        said = run("check", f"{name}.json.gz")
        assert (said.status, by_itself.status) == (status, status)
        assert said.out.startswith(by_itself.out)
    words = "it does not vouch for this mechanism: the certificate does not have"
    assert words in refused(*sanitise, "design.json.gz")


def spoiled(change: Callable[[bytes], bytes]) -> bytes:
    return change(gzip.compress(dump_json(certificate()).encode()))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (lambda: spoiled(lambda whole: whole[:-9]), "end-of-stream"),
        (lambda: spoiled(lambda whole: whole[:1]), "JSON"),
        (lambda: spoiled(lambda whole: whole[:5]), "end-of-stream"),
        (lambda: spoiled(lambda whole: whole[:-8] + b"\0" * 8), "CRC check failed"),
        (lambda: spoiled(lambda whole: whole[:100] + b"\xff" * 9 + whole[109:]), ""),
        (lambda: spoiled(lambda whole: whole + b"more"), "Not a gzipped file"),
        (lambda: gzip.compress(b"{}"), "not a mechdesign certificate"),
        (lambda: gzip.compress(b""), "not JSON"),
        (lambda: gzip.compress(gzip.compress(b"{}")), ""),
        (lambda: gzip.compress(b"\xff\xfe"), ""),
    ],
)
def test_what_is_none_is_refused_in_a_line(content: Callable[[], bytes], words: str) -> None:
    """By checker.py, by the command and from Python."""
    Path("proof.json.gz").write_bytes(content())
    said = alone(checker, "proof.json.gz")
    assert said.status == 2
    assert words in said.err or words == "JSON"
    assert re.search(f"^mechdesign: proof.json.gz: .*{words}", refused("check", "proof.json.gz"))
    with pytest.raises(md.Rejected) as reason:
        check_certificate("proof.json.gz")
    assert reason.value.status == 2


def test_a_bomb_that_says_that_it_is_a_formula(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four million lists in 18 kB, which would take 200 MB."""
    with gzip.open("bomb.json.gz", "wt", compresslevel=9) as file:
        file.write('{"format": "mechdesign-formula/2", "pieces": [' + "[]," * 4_000_000 + "[]]}")
    monkeypatch.setattr(checker, "LONGEST", 2**24)  # no larger buffer than is needed
    tracemalloc.start()
    with pytest.raises(md.Rejected, match="it unpacks to far more than its own size: unpack it first"):
        check_certificate("bomb.json.gz")
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 60_000_000


@pytest.mark.parametrize("over", [0, 1, 40_000_000])
def test_a_bomb_is_unpacked_no_further_than_a_certificate_may_be_long(
    over: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here of 44 MB, where no certificate has more than 4: these, and copies of a block of them, which is all of it."""
    monkeypatch.setattr(checker, "LONGEST", 4_000_000)
    with gzip.open("bomb.json.gz", "wb") as file:
        for _ in range(4):
            file.write(b" " * 1_000_000)
        file.write(b" " * over)
    assert Path("bomb.json.gz").stat().st_size < 50_000
    tracemalloc.start()
    said = alone(checker, "bomb.json.gz"), run("check", "bomb.json.gz")
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [(one.status, one.err.partition(": ")[2]) for one in said] == [
        (2, "longer than any certificate\n"),
        (2, "bomb.json.gz: unreadable as a certificate: longer than any certificate\n"),
    ]
    assert most < 13_000_000


def test_what_is_as_long_as_may_be_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checker, "LONGEST", 1000)
    for text in (b"a" * 999, gzip.compress(b"a" * 999)):
        assert checker.text_in(io.BytesIO(text)) == ("a" * 999, len(text))
    for text in (b"a" * 1000, gzip.compress(b"a" * 1000)):
        with pytest.raises(md.Rejected, match="than any certificate"):
            checker.text_in(io.BytesIO(text))


def test_a_pipe() -> None:
    """As `python checker.py <(...)` has it."""
    md.write_certificate(certificate(), "proof.json")
    command = [sys.executable, "-I", str(Path(checker.__file__)), "/dev/stdin"]
    done = subprocess.run(command, input=Path("proof.json").read_bytes(), capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
