"""The programs of the reference, run as they are published, print the documented output."""

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.live_origins import serve_origin
from tests.requirements import MODULES, needs_file, needs_program

pytestmark = [
    pytest.mark.server,
    pytest.mark.exhaustive("starts an origin and runs every program of the reference"),
]
TASKS = ["conditional", "markdown", "problem", "polite"]
TRANSLATED_TASKS = ["markdown"]
"""Tasks whose programs differ between the languages of the page."""
PROGRAMS = [
    ("example.sh", ["bash", "-euo", "pipefail"], {"curl": "curl", "jq": "jq"}),
    ("example.py", [sys.executable], {}),
    ("example.mjs", ["node"], {"node": "nodejs"}),
]
"""The file of each program of a task, its interpreter, and commands with their packages."""
TYPESCRIPT = MODULES / ".bin/openapi-typescript"
WITHIN = "(?:(?!```).)*"
LISTINGS = re.compile(
    WITHIN.join(f"```{name}\n({WITHIN})```" for name in ("shell", "python", "javascript", "text")),
    flags=re.DOTALL,
)
"""Four listings in a row: the programs of a task and their output."""

Examples = dict[str, tuple[str, ...]]
"""By task, the programs and their output."""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the origin that the examples name, while it runs."""
    with serve_origin(tmp_path_factory.mktemp("origin"), shipped=True) as origin:
        origin.wait_for_dates()
        yield f"http://127.0.0.1:{origin.port}"


def read(address: str) -> str:
    with urlopen(address) as answer:  # noqa: S310
        return str(answer.read().decode())


@pytest.fixture(scope="module")
def examples(root: str) -> tuple[Examples, Examples]:
    """The examples in English and in Vietnamese."""
    english, vietnamese = (
        dict(zip(TASKS, LISTINGS.findall(read(f"{root}{page}/examples.md")), strict=True))
        for page in ("/docs/api", "/vi/docs/api")
    )
    return english, vietnamese


def run_program(number: int, text: str, folder: Path) -> str:
    """Run a program as published, and return what it prints."""
    name, command, commands = PROGRAMS[number]
    for required, package in commands.items():
        needs_program(required, package)
    (folder / name).write_text(text)
    (folder / ".curlrc").write_text("silent\nshow-error\n")
    process = subprocess.run(
        [*command, name],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "HOME": str(folder), "LANG": "C.UTF-8"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (process.returncode, process.stderr) == (0, ""), text
    return process.stdout


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
    for page, tasks in zip(examples, (TASKS, TRANSLATED_TASKS), strict=True):
        for task in tasks:
            assert run_program(number, page[task][number], tmp_path) == page[task][-1], task


@pytest.mark.parametrize("number", range(len(PROGRAMS)), ids=["curl", "Python", "JavaScript"])
def test_requests_of_an_operation_print_its_response(
    root: str, tmp_path: Path, number: int
) -> None:
    languages = ("shell", "python", "javascript")
    page = read(f"{root}/docs/api/get-health.md")
    [program] = re.findall(rf"(?s)```{languages[number]}\n(.*?)```", page)
    printed = run_program(number, program, tmp_path)
    assert re.findall(r"\w+", printed) == re.findall(r"\w+", read(f"{root}/api/v1/health"))


def test_the_first_request_of_the_index_prints_all_apps(root: str, tmp_path: Path) -> None:
    first = re.search(r"(?s)```shell\n(.*?)```", read(f"{root}/docs/api.md"))
    assert first
    assert run_program(0, first[1], tmp_path) == read(f"{root}/api/v1/apps")


@pytest.mark.npm
def test_clients_are_generated_by_the_commands_of_the_index(root: str, tmp_path: Path) -> None:
    """`uvx` and `npx` would download the programs: here they are installed.

    Both put what a program runs on its path. `pipx run` does not: without ruff there are warnings.
    """
    needs_file(TYPESCRIPT, "openapi-typescript (npm)")
    page = read(f"{root}/docs/api.md")
    for_types, for_package = re.findall(r"(?m)^(?:npx|uvx) (openapi-.*)$", page)

    folders = os.pathsep.join([str(TYPESCRIPT.parent), str(Path(sys.executable).parent)])
    path = os.pathsep.join([folders, os.environ["PATH"]])
    for command in (for_types, for_package):
        subprocess.run(shlex.split(command), cwd=tmp_path, env={"PATH": path}, check=True)
    types = (tmp_path / "studio.ts").read_text()
    program = (
        "from studio_catalogue_api_client import Client\n"
        "from studio_catalogue_api_client.api.apps import list_apps\n"
        "from studio_catalogue_api_client.models import App\n"
        f"apps = list_apps.sync(client=Client('{root}/api/v1')).data\n"
        "for app in apps:\n    print(app.id.value, app.status.value, app.tagline.vi)\n"
        "App.from_dict(app.to_dict() | {'another': 1})\n"
        "try:\n    App.from_dict(app.to_dict() | {'id': 'another'})\n"
        "except ValueError:\n    print('refuses another id')"
    )
    printed = run_program(1, program, tmp_path / "studio-catalogue-api-client").splitlines()

    assert 'status: "live" | "soon" | "engine";' in types
    assert "@description Whether the app can be installed." in types
    assert "the Python package refuses a new value" in page
    assert printed.pop() == "refuses another id"
    assert printed == [
        f"{app['id']} {app['status']} {app['tagline']['vi']}"
        for app in json.loads(read(f"{root}/api/v1/apps"))["data"]
    ]
