"""Reports in a real browser, offline: nothing is asked for, nothing complained of, nothing is wider than the screen."""

import json
import random
import shutil
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from command import run
from test_report_page import hostile_graph, many

import mechdesign as md
from mechdesign.show.language import codes

sync_api = pytest.importorskip("playwright.sync_api")
CHROMIUM = shutil.which("chromium")

pytestmark = [pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason="needs chromium: apt-get install chromium")]

KINDS = [
    "certificate",
    "mechanism",
    "square",
    "curve",
    "privacy",
    "refuted",
    "audit",
    "posterior",
    "errors",
    "hostile",
    "many",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report of each kind."""
    home = tmp_path_factory.mktemp("reports")
    place = {name: str(home / name) for name in ("m.json", "c.json", "curve.json", "privacy.json", "refuted.json")}
    result = md.design("hobbies", epsilon="0.5", objective=md.ExpectedLoss())
    md.write_mechanism(result.mechanism, place["m.json"])
    Path(place["c.json"]).write_text(json.dumps(result.certificate))
    assert run("design", "categorical-chain", "--epsilon", "0.3,1,1.2", "--curve", place["curve.json"]).status == 0
    refute = ["--graph", "hobbies", "--epsilon", "0.1", "--curve", place["privacy.json"], "--certificate"]
    assert run("certify", place["m.json"], *refute, place["refuted.json"]).status == 1
    (home / "hostile.json").write_text(json.dumps(md.design(hostile_graph(), epsilon="0.3").certificate))
    (home / "many.json").write_text(json.dumps(many(70, 4)[1]))
    (home / "claims.csv").write_text("claims\n9\n10\n11\n100\n")
    sources = {"certificate": ["m.json", "c.json"], "mechanism": ["m.json"], "curve": ["curve.json"]}
    sources |= {"privacy": ["privacy.json"], "refuted": ["refuted.json"]}
    square = md.mechanism_from_matrix([[f"{1 + 9 * (x == y)}/34" for y in range(25)] for x in range(25)])
    md.write_mechanism(square, home / "square.json")
    sources |= {"square": ["square.json"]}
    for kind, names in (sources | {"hostile": ["hostile.json"], "many": ["many.json"]}).items():
        assert run("report", *(str(home / name) for name in names), "-o", str(home / f"{kind}.html")).status == 0
    laplace = ["audit", "laplace", str(home / "claims.csv"), "--column", "claims", "--query", "mean", "--epsilon", "2"]
    assert run(*laplace, "--bounds", "0,100", "--grid", "9", "--report", str(home / "audit.html")).status == 1
    count = ["--n", "100", "--p", "0.3", "--epsilon", "0.1", "--report"]
    assert run("count", "posterior", "--answer=45.3", *count, str(home / "posterior.html")).status == 0
    assert run("count", "errors", *count, str(home / "errors.html")).status == 0
    return home


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield running
        running.close()


@pytest.fixture(scope="module")
def tab(browser: Any) -> Any:
    """A page that shows one report after another: to open one takes longer than what is looked at in it."""
    return browser.new_context(offline=True, reduced_motion="reduce").new_page()


class Watched:
    """A page with what it asked for, and what the browser complained of."""

    def __init__(self, tab: Any, path: Path, width: int = 1000, scheme: str = "light") -> None:
        self.page, self.url = tab, path.as_uri()
        self.asked: list[str] = []
        self.said: list[str] = []
        self.heard = {
            "request": lambda request: self.asked.append(request.url),
            "console": lambda message: self.said.append(message.text),
            "pageerror": lambda error: self.said.append(str(error)),
            "dialog": self.answer,
        }
        tab.goto("about:blank")
        tab.mouse.move(0, 0)
        tab.set_viewport_size({"width": width, "height": 800})
        tab.emulate_media(media="screen", color_scheme=scheme)
        for event, hear in self.heard.items():
            tab.on(event, hear)
        tab.goto(self.url)

    def answer(self, dialog: Any) -> None:
        self.said.append(dialog.message)
        dialog.dismiss()

    def __enter__(self) -> Any:
        return self.page

    def __exit__(self, *failure: object) -> None:
        for event, hear in self.heard.items():
            self.page.remove_listener(event, hear)
        if failure[0] is None:
            assert (self.asked, self.said) == ([self.url], [])


@pytest.mark.parametrize("kind", KINDS)
def test_every_report_opens(tab: Any, folder: Path, kind: str) -> None:
    """Nothing is asked for, nothing said on the console, nothing overflows, also with everything unfolded."""
    with Watched(tab, folder / f"{kind}.html", 360) as page:
        page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
        assert page.evaluate("[...document.querySelectorAll('svg[role=img]')].every(one => one.ariaLabel)")
        for width, scheme in ((360, "light"), (1000, "dark")):
            page.set_viewport_size({"width": width, "height": 800})
            page.emulate_media(color_scheme=scheme)
            paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
            assert (sum(map(int, paper[4:-1].split(","))) < 200) == (scheme == "dark")
            assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
            assert page.evaluate(SPILLED) == []
            assert page.evaluate(LOW_CONTRAST) == []


A4 = 718
"""Pixels between the margins of a page, as browsers set them: 19 cm."""

SPILLED = """[...document.querySelectorAll('p, li, h1, h2, figcaption, summary')]
    .filter(one => one.scrollWidth > one.clientWidth + 1 && one.clientWidth).map(one => one.textContent.slice(0, 60))"""
"""Words that stand out of their box."""

LOW_CONTRAST = """(() => {
  const part = (text) => text.match(/[\\d.]+/g).map(Number);
  const linear = (c) => c <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => [r, g, b].map(c => linear(c / 255))
    .reduce((sum, c, i) => sum + c * [.2126, .7152, .0722][i], 0);
  const over = (top, under) => { const a = top[3] ?? 1; return under.map((c, i) => a * top[i] + (1 - a) * c); };
  const paint = (one) => part(getComputedStyle(one).backgroundColor);
  const found = new Map([[null, [255, 255, 255]]]);
  const behind = (one) => {
    if (!found.has(one)) found.set(one, over(paint(one), behind(one.parentElement)));
    return found.get(one);
  };
  return [...document.querySelectorAll('p, li, td, th, summary, caption, a, code')].map((one) => {
    const [p, q] = [light(part(getComputedStyle(one).color)), light(behind(one))].sort((a, b) => b - a);
    return [(p + .05) / (q + .05), one.className + ' ' + one.textContent.slice(0, 40)];
  }).filter(([contrast]) => contrast < 4.5);
})()"""
"""Words of less contrast than WCAG 2 asks for (AA, 4.5 to 1)."""


def test_hostile_names_do_nothing(tab: Any, folder: Path) -> None:
    with Watched(tab, folder / "hostile.html") as page:
        assert page.title() == "Privacy report: hostile.json"
        page.hover("table.heat td")
        assert "script" in page.inner_text("#tip")
        assert page.locator("#tip *").count() == 0


def test_what_is_pointed_at_says_its_numbers(tab: Any, folder: Path) -> None:
    with Watched(tab, folder / "certificate.html") as page:
        page.hover("table.heat td")
        cell = page.inner_text("table.heat td >> nth=0")
        assert page.inner_text("#tip").endswith(f": {cell}")
        page.hover("h1")
        assert page.is_hidden("#tip")


def test_tables_are_sorted(tab: Any, folder: Path) -> None:
    """By numbers as numbers, up and then down, with what screen readers are told."""
    with Watched(tab, folder / "curve.html") as page:
        table = page.locator("table", has_text="Largest off-diagonal entry: value, bound and difference")
        for sort, order in (("ascending", [0, 1, 2]), ("descending", [2, 1, 0])):
            table.locator("thead button").nth(2).click()
            cells = [float(row.locator("td").nth(1).inner_text()) for row in table.locator("tbody tr").all()]
            assert [cells[place] for place in order] == sorted(cells)
            assert table.locator("th[aria-sort]").get_attribute("aria-sort") == sort


def test_profiles_are_found_on_every_page(tab: Any, folder: Path) -> None:
    """A page that is folded opens where a profile on it is found, and folds again."""
    with Watched(tab, folder / "many.html") as page:
        assert page.locator("details.pages[open]").count() < page.locator("details.pages").count()
        page.fill("#filter", "GROUP 063")
        assert page.locator(".one:visible", has_text="group 063").count() == 2
        assert page.locator(".one:visible", has_text="group 001").count() == 0
        assert page.inner_text("#found").startswith("4 of ")  # two links, what it releases, its matrix
        page.fill("#filter", "")
        assert page.locator(".one:visible", has_text="group 063").count() == 0


@pytest.mark.parametrize("language", codes())
def test_the_sheet_is_one_page(tab: Any, tmp_path: Path, language: str) -> None:
    """With all that can be said of twelve profiles, of a graph that says what it is, and of released data."""
    draw = random.Random(0)
    laws = [[draw.randint(5, 20) for _ in range(5)] for _ in range(12)]
    shares = {f"district {i:02}": [Fraction(mass, sum(law)) for mass in law] for i, law in enumerate(laws)}
    edges = [(f"district {i:02}", f"district {i + 1:02}") for i in range(11)]
    graph = md.profile_graph(shares, edges=edges, categories=["none", "one", "some", "many", "all"])
    notes = ("purpose", "author", "controller", "date", "table", "source")
    graph.graph |= {"name": "Visits"} | {name: f"what the {name} of this is, in some words" for name in notes}
    md.write_graph(graph, tmp_path / "graph.json")
    place = {name: str(tmp_path / name) for name in ("graph.json", "m.json", "proof.json", "out.csv", "page.html")}
    design = [place["graph.json"], "--epsilon", "1", "-o", place["m.json"], "--certificate", place["proof.json"]]
    assert run("design", *design).status == 0
    (tmp_path / "survey.csv").write_text("place,visits,year\ndistrict 01,some,1999\n")
    columns = ["--value", "visits", "--profile", "place", "--keep", "year"]
    assert run("sanitise", place["m.json"], str(tmp_path / "survey.csv"), *columns, "-o", place["out.csv"]).status == 0
    files = [place["m.json"], place["proof.json"], place["graph.json"], place["out.csv"] + ".manifest.json"]
    assert run("report", *files, "--language", language, "-o", place["page.html"]).status == 0
    with Watched(tab, tmp_path / "page.html", SHEET[0]) as page:
        page.emulate_media(media="print")
        assert page.evaluate("document.querySelector('.sheet').getBoundingClientRect().bottom") <= SHEET[1]


SHEET = (703, 1047)
"""Pixels between the margins that the style sets for A4."""


@pytest.mark.parametrize("kind", ["audit", "many", "square"])
def test_on_paper(tab: Any, folder: Path, tmp_path: Path, kind: str) -> None:
    """It prints dark on light whatever the screen is, no table cut off; those that fit are unfolded."""
    with Watched(tab, folder / f"{kind}.html", A4, "dark") as page:
        page.pdf(path=tmp_path / "report.pdf", format="A4")
        assert (tmp_path / "report.pdf").read_bytes().startswith(b"%PDF")
        assert page.locator("details:not(.pages)[open]").count() == 0
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        closed = page.locator("details.pages:not([open]) details").count() + (kind == "square")
        assert page.locator("div:not(.sheet) > section details:not(.pages):not([open])").count() == closed
        page.emulate_media(media="print", color_scheme="dark")
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert page.evaluate(LOW_CONTRAST) == []


def test_without_scripts_all_is_there(browser: Any, folder: Path) -> None:
    context = browser.new_context(java_script_enabled=False, offline=True)
    page = context.new_page()
    page.goto((folder / "certificate.html").as_uri())
    assert page.is_visible("table.heat")
    assert page.is_hidden(".filter") or page.locator(".filter").count() == 0
    assert page.locator("th button").count() == 0
    context.close()
