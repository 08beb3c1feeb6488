"""Independent validators, each started once for many files."""

import json
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile
from urllib.parse import unquote, urlsplit

from tests.requirements import VALIDATORS, needs_module, needs_node, needs_program

MARKDOWNLINT_LINE = re.compile(r"^(.+?):(\d+)(?::\d+)? error (.+)$", re.MULTILINE)


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
