"""What the README's commands install is all that the tests need, and no test spoils the clone for others."""

import ast
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import conftest
import pytest
from running import without_bytecode

HOME = Path(__file__).parent.parent
SETTINGS = tomllib.loads((HOME / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = SETTINGS["project"]
IN_TURN = {"distributed", "markupsafe", "nbformat"}  # by dask[distributed], jinja2 and nbclient
PACKAGE = list((HOME / "mechdesign").rglob("*.py"))


def imported(file: Path) -> set[str]:
    """Return the packages that a file imports as soon as it is imported itself."""
    found = set()
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(str(node.module).partition(".")[0])
    return found


def lacking(files: list[Path], extra: str) -> dict[str, list[str]]:
    """Return the files that import a package which installing with this extra does not bring by name."""
    homes = packages_distributions()
    wanted = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"][extra]]
    brought = {re.split(r"[^\w.-]", one)[0] for one in wanted} | IN_TURN
    beside = {path.stem for folder in ("tests", "benchmarks") for path in (HOME / folder).iterdir()}
    ours = {"mechdesign"} | beside | sys.stdlib_module_names
    found = {}
    for file in files:
        homes_of = {name: {home.lower() for home in homes.get(name, ())} for name in imported(file) - ours}
        if missing := sorted(name for name, home in homes_of.items() if not home & brought):
            found[file.relative_to(HOME).as_posix()] = missing
    return found


@pytest.mark.slow
def test_pytest_imports_only_what_the_extra_for_tests_brings() -> None:
    """With --doctest-modules it imports every file; one that needs another extra imports it later, or is left out."""
    left_out = {f"tests/{name}" for name in conftest.collect_ignore}
    assert lacking([*PACKAGE, *(HOME / "tests").glob("*.py")], "test").keys() == left_out


def test_the_site_is_built_with_what_its_extra_brings() -> None:
    """It imports every module of the package."""
    assert lacking(PACKAGE, "docs") == {}


def test_the_front_page_of_a_package_index_leads_where_the_source_is() -> None:
    text = (HOME / "README.md").read_text(encoding="utf-8")
    for rule in SETTINGS["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]["substitutions"]:
        text = re.sub(rule["pattern"], rule["replacement"], text)
    assert re.findall(r'\]\((?!https://)[^)]*\)|src="(?!https://)[^"]*"', text) == []


def test_what_ci_runs_are_the_lines_of_the_readme() -> None:
    """Both, and that of the gallery, whole: it finds them by beginning and end, and each is one line of one block."""
    ci = (HOME / ".ci" / "run").read_text(encoding="utf-8")
    lines = re.findall(r"readme \S+ '(\^[^']*)'(?: (\S+))?", ci)
    assert [page for _, page in lines] == ["", "graphs/examples/README.md", ""]
    for pattern, page in lines:
        text = (HOME / (page or "README.md")).read_text(encoding="utf-8")
        (line,) = re.findall(pattern, text, re.MULTILINE)
        assert f"```sh\n{line}" in text


def test_a_process_that_is_limited_or_killed_writes_no_bytecode(tmp_path: Path) -> None:
    (tmp_path / "module.py").write_text("VALUE = 1\n")
    script = "import sys; sys.path.insert(0, sys.argv[1]); import module"
    subprocess.run(without_bytecode(script, str(tmp_path)), check=True)
    assert [file.name for file in tmp_path.iterdir()] == ["module.py"]
