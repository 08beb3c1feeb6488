"""The programs of the reference, run as they are published, print the documented output."""

import os
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import groupby
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.live_origins import serve_origin
from tests.requirements import needs_command

ENGLISH, VIETNAMESE = "/docs/api", "/vi/docs/api"
pytestmark = [
    pytest.mark.server,
    pytest.mark.exhaustive("starts an origin and runs every program of the reference"),
]
TASKS = ["list", "localized", "conditional", "markdown", "problem", "polite"]
TRANSLATED_TASKS = ["localized", "markdown"]
"""Tasks whose programs differ between the languages of the page."""
PROGRAMS = {
    "curl": (
        "example.sh",
        ["bash", "-euo", "pipefail"],
        {"bash": "bash", "curl": "curl", "jq": "jq"},
    ),
    "Python": ("example.py", [sys.executable], {}),
    "JavaScript": ("example.mjs", ["node"], {"node": "nodejs"}),
}
"""By label: the file of the program, its interpreter, and commands with their packages."""

Listing = tuple[str, str, str]
"""The id of the section, the label and the code."""
Examples = dict[str, tuple[dict[str, str], str]]


class Listings(HTMLParser):
    """A parser that collects the listings of a page with their text."""

    def __init__(self) -> None:
        super().__init__()
        self.inside: list[str] = []
        self.section = ""
        self.label = ""
        self.code = ""
        self.found: list[Listing] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag == "section":
            self.section = dict(attributes).get("aria-labelledby") or ""
        if tag in {"figure", "figcaption", "button", "code"}:
            self.inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self.inside[-1:] == [tag]:
            self.inside.pop()
        if tag == "figure":
            self.found.append((self.section, self.label.strip(), self.code))
            self.label = self.code = ""

    def handle_data(self, data: str) -> None:
        if self.inside == ["figure", "figcaption"]:
            self.label += data
        if self.inside == ["figure", "code"]:
            self.code += data


@pytest.fixture(scope="module")
def examples_by_page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Examples]]:
    """The examples of both pages, while the origin that they name runs."""
    with serve_origin(tmp_path_factory.mktemp("origin"), shipped=True) as origin:
        root = f"http://127.0.0.1:{origin.port}"
        yield {page: read_examples(root, page) for page in (ENGLISH, VIETNAMESE)}


def read_examples(root: str, page: str) -> Examples:
    """Return, by task, the programs by label and their documented output."""
    reader = Listings()
    with urlopen(root + page) as answer:  # noqa: S310
        reader.feed(answer.read().decode())
    tasks = groupby(reader.found, key=lambda listing: listing[0])
    listings = {task: {label: code for _, label, code in found} for task, found in tasks}
    found = {}
    for section, programs in listings.items():
        if section.startswith("example-"):
            *_, printed = programs
            found[section.removeprefix("example-")] = (programs, programs.pop(printed))
    return found


def run_program(label: str, program: str, folder: Path) -> str:
    name, command, commands = PROGRAMS[label]
    for required, package in commands.items():
        needs_command(required, package)
    (folder / name).write_text(program)
    process = subprocess.run(
        [*command, name],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "HOME": str(folder), "LANG": "C.UTF-8"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (process.returncode, process.stderr) == (0, "")
    return process.stdout


@pytest.mark.parametrize("label", PROGRAMS)
@pytest.mark.parametrize(
    ("page", "task"),
    [*((ENGLISH, task) for task in TASKS), *((VIETNAMESE, task) for task in TRANSLATED_TASKS)],
)
def test_a_program_prints_the_documented_output(
    examples_by_page: dict[str, Examples], tmp_path: Path, page: str, task: str, label: str
) -> None:
    programs, printed = examples_by_page[page][task]

    assert run_program(label, programs[label], tmp_path) == printed


@pytest.mark.parametrize("label", PROGRAMS)
def test_programs_of_one_language_can_be_run_one_after_another_in_one_folder(
    examples_by_page: dict[str, Examples], tmp_path: Path, label: str
) -> None:
    tasks = examples_by_page[ENGLISH].values()

    assert [run_program(label, programs[label], tmp_path) for programs, _ in tasks] == [
        printed for _, printed in tasks
    ]


@pytest.mark.parametrize("page", [ENGLISH, VIETNAMESE])
def test_every_task_has_a_program_in_every_programming_language(
    examples_by_page: dict[str, Examples], page: str
) -> None:
    found = examples_by_page[page]

    assert list(found) == TASKS
    assert {tuple(programs) for programs, _ in found.values()} == {tuple(PROGRAMS)}


def test_only_translated_tasks_differ_between_the_pages(
    examples_by_page: dict[str, Examples],
) -> None:
    english, vietnamese = examples_by_page[ENGLISH], examples_by_page[VIETNAMESE]

    assert [task for task in TASKS if english[task] != vietnamese[task]] == TRANSLATED_TASKS
