"""Build the reference and the guide as a site that needs no server: `python -W error tests/website.py` writes site/.

The reference is what pdoc makes of the docstrings. The guide is the READMEs and tutorials, below guide/ in the places
that they have in the repository. A name in the guide leads to its reference, and what has a room with a README to that.
One search, which is pdoc's, finds both.
"""

import fnmatch
import html
import os
import pkgutil
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import jinja2
import pdoc
import pdoc.doc
import pdoc.extract
import pdoc.render
import pdoc.render_helpers
import pdoc.search

import mechdesign as md

HOME = Path(__file__).resolve().parent.parent
GUIDE = sorted(
    file
    for pattern in ("*.md", "*/*.md", "*/*/*.md")
    for file in HOME.glob(pattern)
    if not file.parts[len(HOME.parts)].startswith(".")
)
DOORS = {
    "First": "README graphs/TUTORIAL graphs/examples/README graphs/tutorials/[cw]*",
    "A survey, or another table": "graphs/tutorials/s* graphs/tutorials/fl* graphs/tutorials/pr* mechdesign/release/*",
    "Places and other graphs": "graphs/tutorials/places graphs/README mechdesign/graph/* mechdesign/designer/*",
    "A count": "mechdesign/count/*",
    "Labels or telemetry from devices": "graphs/tutorials/devices mechdesign/closed_form/*",
    "Somebody's mechanism to judge": "graphs/tutorials/for* mechdesign/c*tif*/* mechdesign/mender/* mechdesign/audit/*",
    "Reference": "mechdesign/README mechdesign/cli/* mechdesign/schemas/*",
    "Papers and formulas": "graphs/tutorials/the-paper mechdesign/papers/* mechdesign/formulas/* graphs/FORMULAS",
    "For engineers": "benchmarks/README tests/README mechdesign/*/README benchmarks/* CHANGELOG tests/*",
}
"""A page stands behind the first of these that names it, in the order of its patterns."""
TEMPLATES = {
    "module.html.jinja2": """\
{% extends "default/module.html.jinja2" %}
{% block nav_title %}<a href="{{ "../" * module.modulename.count(".") }}guide/README.html">Guide</a>{% endblock %}
""",
    "guide.html.jinja2": """\
{% extends "frame.html.jinja2" %}
{% block title %}{{ title }}{% endblock %}
{% block nav %}<input type="search" placeholder="Search..." role="searchbox" aria-label="search" pattern=".+" required>
<ul>{% for href, words in ways %}<li><a href="{{ href }}">{{ words }}</a></li>{% endfor %}</ul>
{% for door, pages in doors.items() %}<h2>{{ door }}</h2><ul>
{% for href, words in pages %}<li><a href="{{ href }}">{{ words }}</a></li>
{% endfor %}</ul>{% endfor %}{% endblock %}
{% block content %}<main class="pdoc"><section class="module-info">
<div class="docstring">{{ content|safe }}</div>
</section></main>{% include "search.html.jinja2" %}{% endblock %}
""",
    "custom.css": """\
nav.pdoc h2 { font-size: 1.15rem; font-weight: 600; margin: 1.2rem 0 0.2rem; }
.pdoc img { max-width: 100%; height: auto; }
.docstring thead:not(:has(th:not(:empty))) { display: none; }
.pdoc .docstring .pdoc-code { margin: 0; font-size: 0.85rem; }
""",
}


def modules() -> list[str]:
    """Return the names of all modules that can be imported without being run."""
    found = [module.name for module in pkgutil.walk_packages(md.__path__, "mechdesign.")]
    return ["mechdesign", *(name for name in found if not name.endswith("__main__"))]


def build(site: Path, names: list[str]) -> list[str]:
    """Write the site, with the reference of these modules, and return the links of the guide that lead nowhere.

    The folder is emptied first.
    """
    shutil.rmtree(site, ignore_errors=True)
    for name in md.__all__:  # pdoc looks for what is there, and these are loaded when they are first used
        setattr(md, name, getattr(md, name))
    found = {name: pdoc.doc.Module.from_name(name) for name in names}
    _lead_to_the_guide(found)
    pdoc.render.configure(docformat="numpy", show_source=False)
    loader = pdoc.render.env.loader
    pdoc.render.env.loader = jinja2.ChoiceLoader([jinja2.DictLoader(TEMPLATES), loader])
    for name, module in found.items():
        _write(site / page_of(name), pdoc.render.html_module(module, found))
    pages = {file: guide_page(file, site) for file in GUIDE}
    for file, content in pages.items():
        _write(site / _place(file), _framed(file, content))
    public = set(pdoc.extract.walk_specs(["mechdesign"]))  # an index of all modules would be as large as the rest
    searched = {name: module for name, module in found.items() if name in public}
    documents = pdoc.search.make_index(searched, lambda one: not one.name.startswith("_"), "numpy")
    documents += [section for file, content in pages.items() for section in _sections(file, content)]
    compiler = Path(pdoc.render.env.get_template("build-search-index.js").filename)
    index = pdoc.search.precompile_index(documents, compiler)
    _write(site / "search.js", pdoc.render.env.get_template("search.js.jinja2").render(search_index=index))
    _write(site / "index.html", '<meta http-equiv="refresh" content="0; url=guide/README.html">')
    return [fault for file in GUIDE for fault in _broken(_place(file), site.resolve(), set(names))]


def page_of(module: str) -> Path:
    """Return where a module's reference is."""
    return Path(*module.split(".")).with_suffix(".html")


def guide_page(file: Path, site: Path) -> str:
    """Return what is on a page of the guide; what it shows or leads to, and is no page, is copied beside it."""
    text = file.read_text(encoding="utf-8")
    content = str(pdoc.render_helpers.to_html(text))
    content = re.sub(r"<(h\d) id=\"[^\"]*\">(.*?)</\1>", _heading, content, flags=re.DOTALL)
    content = re.sub(r'(href|src)="([^"]+)"', lambda match: f'{match[1]}="{_led(match[2], file, site)}"', content)
    return re.sub(r"(?<!\">)<code>(?:md\.|mechdesign\.)?(\w+)</code>", lambda match: _named(match, file), content)


def _framed(file: Path, content: str) -> str:
    """Return a page whole: with the search, and the ways to its room's reference and to all other pages."""
    here = _place(file)
    ways = [("mechdesign", "Reference")]
    if (file.parent / "__init__.py").exists():
        name = ".".join(file.parent.relative_to(HOME).parts)
        ways.append((name, f"Reference of {name}"))
    frame = pdoc.render.env.get_template("guide.html.jinja2")
    page: str = frame.render(
        title=_title(file),
        module={"modulename": _dotted(here)},
        ways=[(os.path.relpath(page_of(name), here.parent), words) for name, words in ways],
        doors={
            door: [(os.path.relpath(_place(one), here.parent), _title(one)) for one in behind(door)] for door in DOORS
        },
        content=content,
    )
    return page


def behind(door: str) -> list[Path]:
    """Return the pages behind a door, in order."""
    return [file for pattern in DOORS[door].split() for file in GUIDE if _opened(file) == (door, pattern)]


def _opened(file: Path) -> tuple[str, str] | None:
    path = file.relative_to(HOME).with_suffix("").as_posix()
    ways = [(door, pattern) for door, patterns in DOORS.items() for pattern in patterns.split()]
    return next(((door, pattern) for door, pattern in ways if fnmatch.fnmatchcase(path, pattern)), None)


def _sections(file: Path, content: str) -> Iterator[dict[str, str]]:
    """Yield what search finds of a page: a document of pdoc's for each heading."""
    for section in re.split(r"(?=<h\d id=)", content):
        if head := re.match(r"<h\d id=\"([^\"]*)\">(.*?)</h\d>", section, re.DOTALL):
            title = " / ".join(dict.fromkeys([_title(file), html.unescape(re.sub(r"<[^>]+>", "", head[2]))]))
            text = re.sub(r"</?(a|img|span)\b[^>]*>", "", section[head.end() :])
            yield {
                "fullname": title,
                "modulename": _dotted(_place(file)),
                "qualname": head[1],
                "kind": "guide",
                "doc": text,
            }


def _dotted(page: Path) -> str:
    """Return what pdoc takes for the name of a module, and makes a way to a page of."""
    return ".".join(page.with_suffix("").parts)


def _lead_to_the_guide(found: dict[str, pdoc.doc.Module]) -> None:
    """Say at each public name, and at each room, which page of the guide is about it."""
    for name, module in found.items():
        _add_way(module, name, page_of(name))
        for member in module.members.values() if name == "mechdesign" else ():
            _add_way(member, f"{md._HOMES.get(member.name, name)}.{member.name}", page_of(name))


def _add_way(one: pdoc.doc.Doc[object], home: str, page: Path) -> None:
    room = HOME.joinpath(*home.split(".")[:2])
    if home.count(".") and (room / "README.md").exists():
        readme = room / "README.md"
        way = os.path.relpath(_place(readme), page.parent)
        first, _, rest = one.docstring.partition("\n\n")
        one.docstring = f"{first}\n\nGuide: [{_title(readme)}]({way})\n\n{rest}"


def _heading(match: re.Match[str]) -> str:
    """Give a heading the name by which READMEs lead to it."""
    words = html.unescape(re.sub(r"<[^>]+>", "", match[2]))
    name = re.sub(r"[^\w -]", "", words.lower()).replace(" ", "-")
    return f'<{match[1]} id="{name}">{match[2]}</{match[1]}>'


def _led(link: str, file: Path, site: Path) -> str:
    """Return where a link of a README leads in the site."""
    path, mark, place = link.partition("#")
    if not path or re.match(r"[a-z]+:", path):
        return link
    target = (file.parent / path).resolve()
    inside = target.relative_to(HOME)
    if target.suffix == ".md":
        inside = _place(target)
    elif target.suffix == ".py" and inside.parts[0] == "mechdesign":
        inside = page_of(".".join(inside.with_suffix("").parts).removesuffix(".__init__"))
    else:
        inside = "guide" / inside
        if target.is_file():
            (site / inside).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(target, site / inside)
    return Path(os.path.relpath(inside, _place(file).parent)).as_posix() + mark + place


def _named(match: re.Match[str], file: Path) -> str:
    """Lead from a public name to its reference; other words in code stay as they are."""
    if match[1] not in md.__all__:
        return match[0]
    is_room = md._HOMES.get(match[1]) == "mechdesign"
    page = os.path.relpath(page_of(f"mechdesign.{match[1]}" if is_room else "mechdesign"), _place(file).parent)
    return f'<a href="{page}{"" if is_room else f"#{match[1]}"}">{match[0]}</a>'


def _place(file: Path) -> Path:
    return "guide" / file.relative_to(HOME).with_suffix(".html")


def _title(file: Path) -> str:
    return file.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ").replace("`", "")


def _broken(place: Path, site: Path, names: set[str]) -> list[str]:
    """Return the links of a page that lead to no file, or to no place in it; modules that were left out are none."""
    left_out = {page_of(name) for name in modules()} - {page_of(name) for name in names}
    page, faults = site / place, []
    for link in re.findall(r'(?:href|src)="([^"]+)"', page.read_text(encoding="utf-8")):
        path, _, heading = html.unescape(link).partition("#")
        if re.match(r"[a-z]+:|\$", path):  # another site's, or one that the search makes
            continue
        target = (page.parent / path).resolve() if path else page
        if target.is_relative_to(site) and target.relative_to(site) in left_out:
            continue
        if not target.exists() or (heading and f'id="{heading}"' not in target.read_text(encoding="utf-8")):
            faults.append(f"{place.as_posix()}: {link}")
    return faults


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    SITE = HOME / "site"
    if broken := build(SITE, modules()):
        raise SystemExit("links that lead nowhere:\n" + "\n".join(broken))
    sys.stdout.write(f"Written: {SITE / 'index.html'}\n")
