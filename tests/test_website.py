"""The site of reference and guide: each leads to the other, and no link leads nowhere."""

from pathlib import Path
from types import ModuleType

import pytest
from running import script

pdoc = pytest.importorskip("pdoc", reason="pip install '.[docs]'")
pytestmark = pytest.mark.slow
HOME = Path(__file__).parent.parent
ROOM = "mechdesign.certifier"


@pytest.fixture(scope="module")
def website() -> ModuleType:
    return script(HOME / "tests" / "website.py")


@pytest.fixture(scope="module")
def site(website: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of all modules it takes half a minute, so here it is of one; `.ci/run` makes it of all."""
    folder = tmp_path_factory.mktemp("site") / "site"
    assert website.build(folder, [ROOM]) == []
    return folder


def test_a_room_and_each_public_name_lead_to_the_guide(website: ModuleType, site: Path) -> None:
    room = (site / "reference" / "mechdesign" / "certifier.html").read_text(encoding="utf-8")
    assert 'href="../../mechdesign/certifier/README.html"' in room
    public = pdoc.doc.Module.from_name("mechdesign")
    website._lead_to_the_guide({"mechdesign": public})
    assert "(../mechdesign/designer/README.html)" in public.get("design").docstring
    assert "\n\nParameters\n---" in public.get("design").docstring


def test_the_guide_leads_to_the_reference_and_its_pictures_are_there(site: Path) -> None:
    guide = (site / "mechdesign" / "certifier" / "README.html").read_text(encoding="utf-8")
    assert 'href="../../reference/mechdesign/certifier.html"' in guide
    start = (site / "index.html").read_text(encoding="utf-8")
    assert 'src="graphs/drawings/commutes-before-and-after.svg"' in start
    assert (site / "graphs" / "drawings" / "commutes-before-and-after.svg").exists()
    assert '<a href="reference/mechdesign.html#certify"><code>certify</code></a>' in start
    assert 'href="mechdesign/certifier/README.html"' in start


def test_a_link_that_leads_nowhere_is_found(website: ModuleType, site: Path) -> None:
    page = site / "graphs" / "broken.html"
    page.write_text('<a href="README.html#nothing"></a><a href="none.html"></a><a href="../index.html"></a>')
    try:
        assert website._broken(page, set()) == [
            "graphs/broken.html: README.html#nothing",
            "graphs/broken.html: none.html",
        ]
    finally:
        page.unlink()


def test_the_site_is_not_kept() -> None:
    assert "site/" in (HOME / ".gitignore").read_text(encoding="utf-8").split()
