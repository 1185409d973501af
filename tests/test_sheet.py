"""The sheet that a data-protection officer signs: what is asked of it can be answered from it alone."""

import json
from pathlib import Path
from typing import Any

import pytest
from pages import report

import mechdesign as md
from mechdesign.reports.page.page_inputs import Given
from mechdesign.reports.page.sheet import checks, verdict
from mechdesign.reports.page.subject import of_mechanism
from mechdesign.show.blocks import Checks
from mechdesign.show.language import ENGLISH


def test_a_method_alone_is_not_proved() -> None:
    subject = of_mechanism(md.k_ary("abc", epsilon=1))
    (block,) = checks(Given([], subject), subject, ENGLISH).blocks
    assert isinstance(block, Checks)
    assert [(one.word, one.tone) for one in block.items] == [("Open", "note"), ("No", "bad"), ("Yes", "good")]
    assert verdict(Given([], subject), ENGLISH).tone == "note"


@pytest.mark.parametrize(
    ("graph", "options", "word", "tone"),
    [
        ("hobbies", {}, "PASSED", "good"),
        ("categorical-chain", {}, "PASSED", "good"),
        ("resource-usage", {}, "PASSED IN PART", "note"),
    ],
)
def test_a_verdict_is_a_word_with_a_colour(
    tmp_path: Path, graph: str, options: dict[str, Any], word: str, tone: str
) -> None:
    (tmp_path / "proof.json").write_text(json.dumps(md.design(graph, epsilon=1, **options).certificate))
    report(tmp_path, "proof.json")
    text = (tmp_path / "report.html").read_text()
    assert f'<p class="verdict {tone}"><strong>{word}</strong>' in text
