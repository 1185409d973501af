"""Reports as pages: hostile names do nothing, the same comes out every time, and hundreds of profiles still fit."""

import json
import math
import random
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import networkx as nx
import numpy as np
import pages
import pytest
from command import run
from hypothesis import given
from hypothesis import strategies as st

import mechdesign as md
from mechdesign.certificate.certificate import privacy_alone
from mechdesign.certificate.check import examined
from mechdesign.graph.checks import checked
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.privacy.requirement import requirements
from mechdesign.reports.figure import AFTER, BEFORE, CLAIM, ON_PAGES
from mechdesign.reports.page.caveats import before_signing, caveats
from mechdesign.reports.page.page_inputs import Given
from mechdesign.reports.page.subject import of_certificate
from mechdesign.reports.page.written_numbers import (
    allowed,
    exceeded,
    level,
    probability,
    ratio,
    surest,
)
from mechdesign.show.blocks import Table
from mechdesign.show.fact_numbers import Down, Exact, Near, Up
from mechdesign.show.language import ENGLISH
from mechdesign.show.render import PARTS

HOSTILE = [
    "<script>document.title='caught'</script>",
    '"><img src=x onerror=alert(1)>',
    "</title></style></script><b>",
    "&lt;&#60;{{ 7 * 7 }}{% raw %}",
    "' onmouseover='alert(1)",
    "two\nlines\u202e",
]


def hostile_graph() -> nx.Graph:
    laws = {name: [place + 1, len(HOSTILE) + 1, 3] for place, name in enumerate(HOSTILE)}
    shares = {name: [Fraction(mass, sum(law)) for mass in law] for name, law in laws.items()}
    return md.profile_graph(shares, edges="all", categories=HOSTILE[:3])


def many(k: int, d: int) -> tuple[Mechanism, dict[str, Any]]:
    """Return a mechanism for so many profiles, each with a matrix of its own, and its certificate."""
    draw = random.Random(0)
    laws = [[draw.randint(1, 20) for _ in range(d)] for _ in range(k)]
    shares = {f"group {i:03}": [Fraction(mass, sum(law)) for mass in law] for i, law in enumerate(laws)}
    edges = [(f"group {i:03}", f"group {i + 1:03}") for i in range(k - 1)]
    graph = checked(md.profile_graph(shares, edges=edges, categories=[f"c{x}" for x in range(d)]))
    rows = np.array([[20 if y == row % d else draw.randint(10, 12) for y in range(d)] for row in range(k * d)], object)
    mechanism = Mechanism(graph, tuple(graph.graph["categories"]), rows, np.arange(k * d).reshape(k, d))
    return mechanism, privacy_alone(mechanism, graph, requirements(graph, Fraction(1), Fraction(0)), {})


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("<b>")
    (home / "<i>.json").write_text(json.dumps(md.design(hostile_graph(), epsilon="0.3").certificate))
    assert run("report", str(home / "<i>.json"), "-o", str(home / "report.html")).status == 0
    return home / "report.html"


def test_hostile_names_are_text(hostile: Path) -> None:
    """One script, no handlers, no images, no formulas of the templates; and the names can still be read."""
    page = pages.read(hostile)
    assert page.tags.keys().isdisjoint({"img", "b", "i", "iframe", "object", "embed", "base", "form"})
    for name in HOSTILE:
        assert name in page.words
    assert "<i>.json" in page.words
    assert "49" not in page.words.split("raw")[0][-40:]


def test_only_the_one_script_may_run(hostile: Path) -> None:
    """Nothing may be loaded from anywhere: the page says so to the browser."""
    text = hostile.read_text(encoding="utf-8")
    policy = text.split('Content-Security-Policy" content="')[1].split('"')[0].replace("&#39;", "'")
    assert policy.startswith("default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-")
    assert "unsafe-inline" not in policy.split("script-src")[1]


@pytest.mark.slow
def test_the_same_every_time(hostile: Path) -> None:
    again = hostile.with_name("again.html")
    assert run("report", str(hostile.with_name("<i>.json")), "-o", str(again)).status == 0
    assert again.read_bytes() == hostile.read_bytes()


@pytest.mark.slow
def test_hundreds_of_profiles(tmp_path: Path) -> None:
    """500 profiles of 5 categories, each with a matrix of its own: folded, paged, far below 5 MB."""
    mechanism, certificate = many(500, 5)
    (tmp_path / "proof.json").write_text(json.dumps(certificate))
    assert run("report", str(tmp_path / "proof.json"), "-o", str(tmp_path / "report.html")).status == 0
    assert (tmp_path / "report.html").stat().st_size < 2_500_000
    page = pages.read(tmp_path / "report.html")
    assert "part 1 of 21" in page.words
    assert all(f"group {i:03}: the numbers" in page.tables for i in range(500))
    assert all(f"group {i:03}" in page.tables for i in range(500))
    assert "The first 400 of 499 protected pairs" in page.tables
    last = page.column("group 499: the numbers", "after")
    for cell, mass in zip(last, mechanism.released("group 499"), strict=True):
        assert abs(Fraction(cell) - mass) <= Fraction(1, 2 * 10**6)


@pytest.mark.slow
def test_long_names_take_their_room(tmp_path: Path) -> None:
    """The limit is of bytes: names of a thousand letters leave room for fewer profiles."""
    graph = md.profile_graph({f"{i}" + "<" * 400: [Fraction(i + 1, 99), 1 - Fraction(i + 1, 99)] for i in range(13)},
                             edges=[], categories=["x" + "<" * 50_000, "y"])  # fmt: skip
    identity = np.array([[1, 0], [0, 1]], dtype=object)
    md.write_mechanism(Mechanism(graph, tuple(graph.graph["categories"]), identity, np.tile([0, 1], (13, 1))),
                       tmp_path / "m.json")  # fmt: skip
    assert run("report", str(tmp_path / "m.json"), "-o", str(tmp_path / "report.html")).status == 0
    page = pages.read(tmp_path / "report.html")
    assert "of 13 groups; the file has all" in page.words
    assert (tmp_path / "report.html").stat().st_size < 5_000_000


@pytest.mark.slow
def test_large_matrices_are_pictures_with_their_numbers(tmp_path: Path) -> None:
    """Without numbers in the picture; the table has all up to 40 rows, and of more the largest."""
    for size, caption in ((13, "all"), (45, "largest")):
        rows = [[2 * size if x == y else 1 for y in range(size)] for x in range(size)]
        total = sum(rows[0])
        (tmp_path / "matrix.json").write_text(json.dumps([[f"{weight}/{total}" for weight in row] for row in rows]))
        assert run("report", str(tmp_path / "matrix.json"), "-o", str(tmp_path / "report.html")).status == 0
        table = pages.read(tmp_path / "report.html").tables["The matrix: the numbers"]
        assert len(table) == (size + 1 if caption == "all" else 201)
        assert Fraction(table[1][1] if caption == "all" else table[1][2]) - Fraction(2 * size, total) < Fraction(
            1, 10**6
        )


def drawings(page: str) -> list[ElementTree.Element]:
    """Return the figures of a page, each as well-formed XML."""
    return [ElementTree.fromstring(one) for one in re.findall(r"<svg.*?</svg>", page, re.DOTALL)]


def test_a_curve_of_one_point_is_seen(tmp_path: Path) -> None:
    """The path through it is nothing that is drawn: it has a dot."""
    for epsilons, dots in (("0.5", 2), ("0.5,0.6", 4)):
        assert (
            run("design", "categorical-chain", "--epsilon", epsilons, "--curve", str(tmp_path / "c.json")).status == 0
        )
        assert run("report", str(tmp_path / "c.json"), "-o", str(tmp_path / "report.html")).status == 0
        (drawn,) = drawings((tmp_path / "report.html").read_text(encoding="utf-8"))
        blue_and_grey = [one for one in drawn.iter("use") if re.search("--(after|before)", one.get("style", ""))]
        assert len(blue_and_grey) == dots + 2  # and those of the legend
        (tmp_path / "c.json").unlink()


def test_ids_are_unique_and_found(hostile: Path) -> None:
    """Several figures stand in one page: what refers to an id means that of the same figure."""
    text = hostile.read_text(encoding="utf-8")
    ids = re.findall(r'\bid="([^"]*)"', text)
    assert len(ids) == len(set(ids))
    assert len(drawings(text)) > 1
    for drawn in drawings(text):
        own = {one.get("id") for one in drawn.iter()} - {None}
        used = {
            name for one in drawn.iter() for value in one.attrib.values() for name in re.findall("#(f[^)]*)", value)
        }
        assert used
        assert used <= own


def test_colours_of_figures_are_the_pages() -> None:
    """On light paper they are those of files; on dark paper the page has others."""
    style = (PARTS / "style.css").read_text(encoding="utf-8")
    light, dark = (dict(re.findall(r"(--\w+): (#\w+)", part)) for part in style.split("@media")[:2])
    assert {light["--before"], light["--after"], light["--claim"]} == {BEFORE, AFTER, CLAIM}
    names = ["--before", "--after", "--claim", "--ink", "--paper"]
    assert set(ON_PAGES.values()) == {f"var({name})" for name in names}
    assert all(light[name] != dark[name] for name in names)


def test_what_several_releases_tell_depends_on_what_a_profile_is() -> None:
    """Of single values epsilons add up at most; of an observation that is used again nothing is known."""
    values, counts, profiles = (
        str(caveats(Given([], of_certificate(examined(md.design(name, epsilon=1).certificate))), ENGLISH))
        for name in (md.value_graph("abc"), "counting-10", "commutes")
    )
    assert "With two releases about the same person it is 88.08 %" in values
    assert "With two releases of the same number, or of counts of the same people, it is 88.08 %" in counts
    assert "nothing is proved" not in values + counts
    assert "With two releases of independent answers of a person it is 88.08 %" in profiles
    assert "released again, as in a panel, or for answers that belong together, nothing is proved." in profiles


def test_earlier_releases_by_another_mechanism_add_up_and_by_distance_so_does_the_factor() -> None:
    places = md.value_graph(range(3), metric=lambda x, y: abs(x - y))
    design = md.design(places, epsilon=1)
    subject = of_certificate(examined(design.certificate))
    for one, sha256, said in (
        (subject, "0", "The limit of all releases together, each by this method, is 98.21 %."),
        (subject, "1", "The epsilons of all releases add up."),
        (
            replace(subject, told=places),
            "0",
            "each by this method, the odds of two answers change by a factor of at most",
        ),
    ):
        earlier = [{"mechanism_sha256": sha256, "single_values": True, "made": None}]
        manifest = {"mechanism": {"sha256": "0"}, "random": "", "columns": {"kept_as_they_are": []}}
        files = Given([], one, manifest=manifest | {"earlier_releases": earlier})
        assert said in " ".join(before_signing(files, ENGLISH))


fractions = st.fractions(0, 1)


@given(fractions)
def test_rounding_is_in_the_direction_that_is_named(value: Fraction) -> None:
    assert Fraction(Down(value).words()) <= value <= Fraction(Up(value).words())
    assert Fraction(Down(value, 2).words()) <= value <= Fraction(Up(value, 2).words())
    text = probability(value)
    assert abs(Fraction(text) - value) <= Fraction(1, 2 * 10**6) if text != "~0" else 0 < value < Fraction(1, 10**6)
    assert 0 <= level(value) <= 9
    assert (level(value) == 0) == (value == 0)
    assert Fraction(allowed(value).removeprefix("≤ ")) >= value >= Fraction(exceeded(value).removeprefix("≥ "))


@given(st.fractions(0, 600))
def test_ratio_and_limit_are_bounds(epsilon: Fraction) -> None:
    above = Fraction(ratio(epsilon).words())
    assert math.log(above) >= float(epsilon) * (1 - 1e-12)
    for delta in (Fraction(0), Fraction(1, 100)):
        written = surest(epsilon, delta)
        sure = Fraction(written.words() if isinstance(written, Up) else written.value) / 100
        assert Fraction(1, 2) <= sure <= 1
        assert isinstance(written, Up) or (written.words(), sure > Fraction("0.999999")) == ("99.9999…", True)
        likely = 1 / (1 + math.exp(-float(epsilon)))
        assert sure >= min(1, likely + (1 - likely) * float(delta)) - 1e-12


def test_words_stand_to_the_left_and_numbers_to_the_right() -> None:
    rows = [["a", Up(0.5), Exact(1, "≤ 1.5"), "names", "-", Exact(True)], ["b", Near(1), "~0", "0.5", Down(2e-5), "y"]]
    table = Table("", list("abcdef"), rows)
    assert table.wordy == [4, 6]
    assert replace(table, levels=[[0] * 5] * 2).wordy == []
