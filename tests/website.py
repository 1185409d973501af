"""Build the reference and the guide as a site that needs no server: `python -W error tests/website.py` writes site/.

The reference is what pdoc makes of the docstrings. The guide is the READMEs and tutorials, in the places that they have
in the repository. A name in the guide leads to its reference, and what has a room with a README to that.
"""

import html
import os
import pkgutil
import re
import shutil
import sys
from pathlib import Path

import pdoc
import pdoc.doc
import pdoc.extract
import pdoc.render
import pdoc.render_helpers

import mechdesign as md

HOME = Path(__file__).resolve().parent.parent
GUIDE = sorted(
    file
    for pattern in ("*.md", "*/*.md", "*/*/*.md")
    for file in HOME.glob(pattern)
    if not file.parts[len(HOME.parts)].startswith(".")
)
PAGE = """\
{% extends "frame.html.jinja2" %}
{% block title %}{{ title }}{% endblock %}
{% block nav %}<h2>mechdesign</h2><ul>
{% for href, words in ways %}<li><a href="{{ href }}">{{ words }}</a></li>
{% endfor %}</ul>{% endblock %}
{% block content %}<main class="pdoc"><section class="module-info">
<div class="docstring">{{ content|safe }}</div>
</section></main>{% endblock %}
"""


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
    for name, module in found.items():
        _write(site / page_of(name), pdoc.render.html_module(module, found))
    _write(site / "reference" / "index.html", pdoc.render.html_index(found))
    public = set(pdoc.extract.walk_specs(["mechdesign"]))  # an index of all modules would be as large as the rest
    searched = {name: module for name, module in found.items() if name in public}
    _write(site / "reference" / "search.js", pdoc.render.search_index(searched))
    for file in GUIDE:
        _write(site / _place(file), guide_page(file, site))
    shutil.copyfile(site / "README.html", site / "index.html")
    return [fault for file in GUIDE for fault in _broken(site / _place(file), set(names))]


def page_of(module: str) -> Path:
    """Return where a module's reference is."""
    return Path("reference", *module.split(".")).with_suffix(".html")


def guide_page(file: Path, site: Path) -> str:
    """Return a page of the guide; what it shows or leads to, and is no page, is copied beside it."""
    text = file.read_text(encoding="utf-8")
    content = str(pdoc.render_helpers.to_html(text))
    content = re.sub(r"<(h\d) id=\"[^\"]*\">(.*?)</\1>", _heading, content, flags=re.DOTALL)
    content = re.sub(r'(href|src)="([^"]+)"', lambda match: f'{match[1]}="{_led(match[2], file, site)}"', content)
    content = re.sub(r"(?<!\">)<code>(?:md\.|mechdesign\.)?(\w+)</code>", lambda match: _named(match, file), content)
    here = _place(file).parent
    ways = [(os.path.relpath(place, here), words) for place, words in _ways(file)]
    page: str = pdoc.render.env.from_string(PAGE).render(title=_title(file), ways=ways, content=content)
    return page


def _ways(file: Path) -> list[tuple[Path, str]]:
    """Return the ways from a page: the start, its room's reference, and the whole of it."""
    ways = [(Path("index.html"), "Guide"), (Path("reference/mechdesign.html"), "Reference")]
    if (file.parent / "__init__.py").exists():
        name = ".".join(file.parent.relative_to(HOME).parts)
        ways.append((page_of(name), f"Reference of {name}"))
    return [*ways, *((_place(one), _title(one)) for one in GUIDE if one != file)]


def _lead_to_the_guide(found: dict[str, pdoc.doc.Module]) -> None:
    """Say at each public name, and at each room, which page of the guide is about it."""
    for name, module in found.items():
        _add_way(module, name, page_of(name))
        for member in module.members.values() if name == "mechdesign" else ():
            _add_way(member, f"mechdesign.{md._HOMES.get(member.name, '')}", page_of(name))


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
    elif target.is_file():
        (site / inside).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(target, site / inside)
    return Path(os.path.relpath(inside, _place(file).parent)).as_posix() + mark + place


def _named(match: re.Match[str], file: Path) -> str:
    """Lead from a public name to its reference; other words in code stay as they are."""
    if match[1] not in md.__all__:
        return match[0]
    is_room = md._HOMES.get(match[1]) == match[1]
    page = os.path.relpath(page_of(f"mechdesign.{match[1]}" if is_room else "mechdesign"), _place(file).parent)
    return f'<a href="{page}{"" if is_room else f"#{match[1]}"}">{match[0]}</a>'


def _place(file: Path) -> Path:
    return file.relative_to(HOME).with_suffix(".html")


def _title(file: Path) -> str:
    return file.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")


def _broken(page: Path, names: set[str]) -> list[str]:
    """Return the links of a page that lead to no file, or to no place in it; modules that were left out are none."""
    left_out = {page_of(name) for name in modules()} - {page_of(name) for name in names}
    root = page = page.resolve()
    while not (root / "reference").is_dir():
        root = root.parent
    faults = []
    for link in re.findall(r'(?:href|src)="([^"]+)"', page.read_text(encoding="utf-8")):
        path, _, place = html.unescape(link).partition("#")
        if re.match(r"[a-z]+:", path):
            continue
        target = (page.parent / path).resolve() if path else page
        if target.is_relative_to(root) and target.relative_to(root) in left_out:
            continue
        if not target.exists() or (place and f'id="{place}"' not in target.read_text(encoding="utf-8")):
            faults.append(f"{page.relative_to(root)}: {link}")
    return faults


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    SITE = HOME / "site"
    if broken := build(SITE, modules()):
        raise SystemExit("links that lead nowhere:\n" + "\n".join(broken))
    sys.stdout.write(f"Written: {SITE / 'index.html'}\n")
