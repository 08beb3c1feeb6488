"""The programs of the reference, run as they are published, print the documented output."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.live_origins import serve_origin
from tests.requirements import needs_program

pytestmark = [
    pytest.mark.server,
    pytest.mark.exhaustive("starts an origin and runs every program of the reference"),
]
TASKS = ["list", "localized", "conditional", "markdown", "problem", "polite"]
TRANSLATED_TASKS = ["localized", "markdown"]
"""Tasks whose programs differ between the languages of the page."""
PROGRAMS = {
    "curl": ("example.sh", ["bash", "-euo", "pipefail"], {"curl": "curl", "jq": "jq"}),
    "Python": ("example.py", [sys.executable], {}),
    "JavaScript": ("example.mjs", ["node"], {"node": "nodejs"}),
}
"""By label: the file of the program, its interpreter, and commands with their packages."""
SECTION = re.compile(r'(?s)<section[^>]* aria-labelledby="example-(\w+)".*?</section>')
LISTING = re.compile(r"(?s)<figcaption[^>]*>\s*([^<\n]*).*?</figcaption>.*?<code[^>]*>(.*?)</code>")
TAG = re.compile(r"<[^>]*>")

Examples = dict[str, dict[str, str]]
"""By task, listings by label; the last one is the output."""


def read_examples(root: str, page: str) -> Examples:
    with urlopen(root + page) as answer:  # noqa: S310
        html = answer.read().decode()
    return {
        section[1]: {
            plain_text(label).strip(): plain_text(code)
            for label, code in LISTING.findall(section[0])
        }
        for section in SECTION.finditer(html)
    }


def plain_text(html: str) -> str:
    return unescape(TAG.sub("", html))


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Examples]]:
    """The examples of both languages, while the origin that they name runs."""
    with serve_origin(tmp_path_factory.mktemp("origin"), shipped=True) as origin:
        root = f"http://127.0.0.1:{origin.port}"
        yield {"en": read_examples(root, "/docs/api"), "vi": read_examples(root, "/vi/docs/api")}


def test_only_translated_tasks_differ_between_the_pages(examples: dict[str, Examples]) -> None:
    english, vietnamese = examples["en"], examples["vi"]

    assert list(english) == list(vietnamese) == TASKS
    programs = [
        [list(found.values())[:-1] for found in page.values()] for page in examples.values()
    ]
    differing = [task for task, one, other in zip(TASKS, *programs, strict=True) if one != other]
    assert differing == TRANSLATED_TASKS


@pytest.mark.parametrize("label", PROGRAMS)
def test_programs_in_one_folder_print_the_documented_output(
    examples: dict[str, Examples], tmp_path: Path, label: str
) -> None:
    name, command, commands = PROGRAMS[label]
    for required, package in commands.items():
        needs_program(required, package)
    for language, tasks in (("en", TASKS), ("vi", TRANSLATED_TASKS)):
        for task in tasks:
            listings = examples[language][task]
            *_, printed = listings.values()
            (tmp_path / name).write_text(listings[label])
            process = subprocess.run(
                [*command, name],
                cwd=tmp_path,
                env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "LANG": "C.UTF-8"},
                capture_output=True,
                text=True,
                timeout=60,
                check=False,
            )
            assert (process.returncode, process.stderr) == (0, ""), task
            assert process.stdout == printed, task
