"""The site of reference and guide: each leads to the other, one search finds both, and no link leads nowhere."""

import shutil
from pathlib import Path
from types import ModuleType

import pytest
from running import script

pdoc = pytest.importorskip("pdoc", reason="pip install '.[docs]'")
pytestmark = pytest.mark.slow
HOME = Path(__file__).parent.parent
ROOM = "mechdesign.certifier"
CHROMIUM = shutil.which("chromium")


@pytest.fixture(scope="module")
def website() -> ModuleType:
    return script(HOME / "tests" / "website.py")


@pytest.fixture(scope="module")
def site(website: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of all modules it takes half a minute, so here it is of few; `.ci/run` makes it of all."""
    folder = tmp_path_factory.mktemp("site") / "site"
    assert website.build(folder, ["mechdesign", ROOM]) == []
    return folder


def test_a_room_and_each_public_name_lead_to_the_guide(website: ModuleType, site: Path) -> None:
    room = (site / "mechdesign" / "certifier.html").read_text(encoding="utf-8")
    assert 'href="../guide/mechdesign/certifier/README.html"' in room
    assert 'href="../guide/README.html">Guide</a>' in room
    public = pdoc.doc.Module.from_name("mechdesign")
    website._lead_to_the_guide({"mechdesign": public})
    assert "(guide/mechdesign/designer/README.html)" in public.get("design").docstring
    assert "\n\nParameters\n---" in public.get("design").docstring


def test_the_guide_leads_to_the_reference_and_its_pictures_are_there(site: Path) -> None:
    guide = (site / "guide" / "mechdesign" / "certifier" / "README.html").read_text(encoding="utf-8")
    assert 'href="../../../mechdesign/certifier.html"' in guide
    assert '<a href="../../../mechdesign.html#design"><code>design</code></a>' in guide
    gallery = (site / "guide" / "graphs" / "examples" / "README.html").read_text(encoding="utf-8")
    assert 'src="survey.svg"' in gallery
    assert (site / "guide" / "graphs" / "examples" / "survey.svg").exists()


def test_each_page_of_the_guide_is_behind_one_door(website: ModuleType) -> None:
    behind = [file for door in website.DOORS for file in website.behind(door)]
    assert sorted(behind) == website.GUIDE
    assert all(website.behind(door) for door in website.DOORS)


@pytest.mark.skipif(CHROMIUM is None, reason="needs chromium: apt-get install chromium")
@pytest.mark.parametrize("place", ["guide/graphs/tutorials/survey.html", "mechdesign/certifier.html"])
def test_search_finds_reference_and_guide_without_a_server(site: Path, place: str) -> None:
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as browsers, browsers.chromium.launch(executable_path=CHROMIUM) as browser:
        page = browser.new_page()
        for words, found in (
            ("mending", "What does it look like? / Somebody's mechanism"),
            ("Verdict", "class mechdesign"),
        ):
            page.goto((site / place).as_uri())
            page.fill("input[type=search]", words)
            result = page.locator(".search-result > a", has_text=found).first
            result.click()
            page.wait_for_url(lambda address: "search=" not in address)
            assert page.locator(f"[id='{page.url.partition('#')[2]}']").count() == 1


def test_a_link_that_leads_nowhere_is_found(website: ModuleType, site: Path) -> None:
    page = site / "guide" / "graphs" / "broken.html"
    page.write_text('<a href="README.html#nothing"></a><a href="none.html"></a><a href="../README.html"></a>')
    try:
        assert website._broken(page.relative_to(site), site, set()) == [
            "guide/graphs/broken.html: README.html#nothing",
            "guide/graphs/broken.html: none.html",
        ]
    finally:
        page.unlink()


def test_the_site_is_not_kept() -> None:
    assert "site/" in (HOME / ".gitignore").read_text(encoding="utf-8").split()
