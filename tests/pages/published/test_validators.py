"""Independent validators find no fault in pages, style sheets, drawings and Markdown files.

Each validator also reads a faulty file, which proves that it reads files and finds faults.
"""

import json
import re
import subprocess
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile
from urllib.parse import unquote, urlsplit

import pytest

from tests.pages.published.fault_report import assert_no_faults
from tests.pages.published.release import Release
from tests.requirements import VALIDATORS, needs_module, needs_node, needs_program

pytestmark = [
    pytest.mark.npm,
    pytest.mark.exhaustive("checks every page with html-validate and vnu, which is Java"),
]

MARKDOWNLINT_LINE = re.compile(r"^(.+?):(\d+)(?::\d+)? error (.+)$", re.MULTILINE)
PAGE = "<!DOCTYPE html>\n<html lang=en>\n<title>A fault</title>\n<p align=left>One</b>\n"
STYLE = "p { colour: red }\n"
DRAWING = '<svg xmlns="http://www.w3.org/2000/svg"><circle radius="1"/></svg>\n'
TEXT = "# One\n\n# Two\n"


@dataclass(frozen=True)
class Finding:
    """A message of a validator about a line of a file."""

    file: Path
    line: int
    what: str


def run_vnu(files: list[Path]) -> Iterator[Finding]:
    """Run the W3C's checker of HTML, CSS and SVG; warnings count, too."""
    jar = needs_module("vnu-jar/build/dist/vnu.jar")
    options = ["--stdout", "--exit-zero-always", "--format", "json", "--also-check-css"]
    options += ["--also-check-svg", "--filterfile", "vnu-filter.txt"]
    java = needs_program("java", "default-jre-headless")
    found = json.loads(run_validator(java, "-jar", jar, *options, *files).stdout)
    for each in found["messages"]:
        file = Path(unquote(urlsplit(each["url"]).path))
        yield Finding(file, each.get("lastLine", 1), each["message"])


def run_html_validate(files: list[Path]) -> Iterator[Finding]:
    program = needs_module("html-validate/bin/html-validate.mjs")
    with NamedTemporaryFile(suffix=".json") as report:
        options = ["--config", "htmlvalidate.config.mjs", "--formatter", f"json={report.name}"]
        run_validator(needs_node(), program, *options, *files)
        results = json.load(report)
    for result in results:
        for each in result["messages"]:
            what = f"{each['ruleId']}: {each['message']}"
            yield Finding(Path(result["filePath"]), each["line"], what)


def run_markdownlint(files: list[Path]) -> Iterator[Finding]:
    program = needs_module("markdownlint-cli2/markdownlint-cli2-bin.mjs")
    done = run_validator(needs_node(), program, "--no-globs", *(f":{file}" for file in files))
    assert f"Linting: {len(files)} files" in done.stdout, done.stderr
    for file, line, what in MARKDOWNLINT_LINE.findall(done.stderr):
        yield Finding((VALIDATORS / file).resolve(), int(line), what)


def run_validator(*command: str | Path) -> subprocess.CompletedProcess[str]:
    words = [str(word) for word in command]
    return subprocess.run(words, cwd=VALIDATORS, capture_output=True, text=True, check=False)


def group_by_place(release: Release, findings: list[Finding]) -> dict[str, list[str]]:
    """Return the findings by file below the public folder and line."""
    found: dict[str, list[str]] = {}
    for each in findings:
        place = f"{each.file.relative_to(release.public)}:{each.line}"
        found.setdefault(place, []).append(each.what)
    return found


@pytest.mark.parametrize(
    ("validator", "media_types", "faults"),
    [
        (run_vnu, ("text/html", "text/css", "image/svg+xml"), [PAGE, STYLE, DRAWING]),
        (run_html_validate, ("text/html",), [PAGE]),
        (run_markdownlint, ("text/markdown",), [TEXT]),
    ],
    ids=["vnu", "html-validate", "markdownlint"],
)
def test_a_validator_finds_faults_only_in_the_faulty_files(
    release: Release,
    tmp_path: Path,
    validator: Callable[[list[Path]], Iterable[Finding]],
    media_types: tuple[str, ...],
    faults: list[str],
) -> None:
    suffixes = {PAGE: "html", STYLE: "css", DRAWING: "svg", TEXT: "md"}
    faulty = {tmp_path / f"faulty.{suffixes[text]}": text for text in faults}
    for file, text in faulty.items():
        file.write_text(text)
    files = [*release.files(*media_types), *faulty]

    found = list(validator(files))

    assert faulty.keys() <= {each.file for each in found}
    assert_no_faults(group_by_place(release, [each for each in found if each.file not in faulty]))
