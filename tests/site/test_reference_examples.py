"""Every program of the reference, run as it is published, prints what the page says it prints."""

import os
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import groupby
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.needs import needs_command
from tests.site.reference_origin import live_origin

ENGLISH, VIETNAMESE = "/docs/api", "/vi/docs/api"
pytestmark = pytest.mark.server
TASKS = ["list", "localized", "conditional", "markdown", "problem", "polite"]
IN_A_LANGUAGE = ["localized", "markdown"]
"""Tasks whose programs ask for the language of their page."""
PROGRAMS = {
    "curl": (
        "example.sh",
        ["bash", "-euo", "pipefail"],
        {"bash": "bash", "curl": "curl", "jq": "jq"},
    ),
    "Python": ("example.py", [sys.executable], {}),
    "JavaScript": ("example.mjs", ["node"], {"node": "nodejs"}),
}
"""By label: the file to save it in, what runs it, and which commands of which packages it needs."""

Listing = tuple[str, str, str]
"""Id of the section, label, code."""
Examples = dict[str, tuple[dict[str, str], str]]


class Listings(HTMLParser):
    """Every listing of a page, as a reader selects it."""

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
def published(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Examples]]:
    """The examples of both pages, while the origin that they name is answering."""
    with live_origin(tmp_path_factory.mktemp("origin")) as root:
        yield {page: examples(root, page) for page in (ENGLISH, VIETNAMESE)}


def examples(root: str, page: str) -> Examples:
    """By task: its programs by label, and what each of them prints."""
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


def run(label: str, program: str, folder: Path) -> str:
    name, command, needed = PROGRAMS[label]
    for needs, package in needed.items():
        needs_command(needs, package)
    (folder / name).write_text(program)
    done = subprocess.run(
        [*command, name],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "HOME": str(folder), "LANG": "C.UTF-8"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize("label", PROGRAMS)
@pytest.mark.parametrize(
    ("page", "task"),
    [*((ENGLISH, task) for task in TASKS), *((VIETNAMESE, task) for task in IN_A_LANGUAGE)],
)
def test_a_program_prints_what_the_page_says(
    published: dict[str, Examples], tmp_path: Path, page: str, task: str, label: str
) -> None:
    programs, printed = published[page][task]

    assert run(label, programs[label], tmp_path) == printed


@pytest.mark.parametrize("label", PROGRAMS)
def test_programs_of_one_language_can_be_run_one_after_another_in_one_folder(
    published: dict[str, Examples], tmp_path: Path, label: str
) -> None:
    tasks = published[ENGLISH].values()

    assert [run(label, programs[label], tmp_path) for programs, _ in tasks] == [
        printed for _, printed in tasks
    ]


@pytest.mark.parametrize("page", [ENGLISH, VIETNAMESE])
def test_every_task_is_solved_in_every_language(published: dict[str, Examples], page: str) -> None:
    found = published[page]

    assert list(found) == TASKS
    assert {tuple(programs) for programs, _ in found.values()} == {tuple(PROGRAMS)}


def test_only_what_asks_for_a_language_differs_between_the_pages(
    published: dict[str, Examples],
) -> None:
    english, vietnamese = published[ENGLISH], published[VIETNAMESE]

    assert [task for task in TASKS if english[task] != vietnamese[task]] == IN_A_LANGUAGE
