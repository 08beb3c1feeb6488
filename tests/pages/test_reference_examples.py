"""The programs of the reference, run as they are published, print the documented output."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
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
PROGRAMS = [
    ("example.sh", ["bash", "-euo", "pipefail"], {"curl": "curl", "jq": "jq"}),
    ("example.py", [sys.executable], {}),
    ("example.mjs", ["node"], {"node": "nodejs"}),
]
"""The file of each program of a task, its interpreter, and commands with their packages."""
WITHIN = "(?:(?!```).)*"
LISTINGS = re.compile(
    WITHIN.join(f"```{name}\n({WITHIN})```" for name in ("shell", "python", "javascript", "text")),
    flags=re.DOTALL,
)
"""Four listings in a row: the programs of a task and their output."""

Examples = dict[str, tuple[str, ...]]
"""By task, the programs and their output."""


def read_examples(root: str, page: str) -> Examples:
    with urlopen(root + page) as answer:  # noqa: S310
        return dict(zip(TASKS, LISTINGS.findall(answer.read().decode()), strict=True))


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Examples, Examples]]:
    """The examples in English and in Vietnamese, while the origin that they name runs."""
    with serve_origin(tmp_path_factory.mktemp("origin"), shipped=True) as origin:
        origin.wait_for_dates()
        root = f"http://127.0.0.1:{origin.port}"
        yield read_examples(root, "/docs/api.md"), read_examples(root, "/vi/docs/api.md")


def test_only_translated_tasks_differ_between_the_pages(
    examples: tuple[Examples, Examples],
) -> None:
    english, vietnamese = examples

    assert [
        task for task in TASKS if english[task][:-1] != vietnamese[task][:-1]
    ] == TRANSLATED_TASKS


@pytest.mark.parametrize("number", range(len(PROGRAMS)), ids=["curl", "Python", "JavaScript"])
def test_programs_in_one_folder_print_the_documented_output(
    examples: tuple[Examples, Examples], tmp_path: Path, number: int
) -> None:
    name, command, commands = PROGRAMS[number]
    for required, package in commands.items():
        needs_program(required, package)
    for page, tasks in zip(examples, (TASKS, TRANSLATED_TASKS), strict=True):
        for task in tasks:
            (tmp_path / name).write_text(page[task][number])
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
            assert process.stdout == page[task][-1], task
