"""Independent validators, each asked once about many files."""

import json
import re
import subprocess
from collections.abc import Iterable
from pathlib import Path
from tempfile import NamedTemporaryFile
from urllib.parse import unquote, urlsplit

from tests.needs import VALIDATORS, needs_java, needs_module, needs_node

Findings = dict[Path, list[str]]
"""What is wrong, by file."""

MARKDOWNLINT = re.compile(r"^(?P<file>.+?):(?P<line>\d+)(:\d+)? error (?P<what>.+)$", re.MULTILINE)


def vnu(files: list[Path]) -> Findings:
    """The W3C's checker of HTML, CSS and SVG, its remarks included."""
    jar = needs_module("vnu-jar/build/dist/vnu.jar")
    options = ["--stdout", "--exit-zero-always", "--format", "json", "--also-check-css"]
    options += ["--also-check-svg", "--filterfile", "vnu-filter.txt"]
    found = json.loads(run(needs_java(), "-jar", jar, *options, *files).stdout)
    return by_file(
        (Path(unquote(urlsplit(each["url"]).path)), f"{each.get('lastLine', 1)}: {each['message']}")
        for each in found["messages"]
    )


def html_validate(files: list[Path]) -> Findings:
    program = needs_module("html-validate/bin/html-validate.mjs")
    with NamedTemporaryFile(suffix=".json") as report:
        options = ["--config", "htmlvalidate.config.mjs", "--formatter", f"json={report.name}"]
        run(needs_node(), program, *options, *files)
        results = json.load(report)
    return by_file(
        (Path(result["filePath"]), f"{each['line']}: {each['ruleId']}: {each['message']}")
        for result in results
        for each in result["messages"]
    )


def markdownlint(files: list[Path]) -> Findings:
    program = needs_module("markdownlint-cli2/markdownlint-cli2-bin.mjs")
    done = run(needs_node(), program, "--no-globs", *(f":{file}" for file in files))
    assert f"Linting: {len(files)} files" in done.stdout, done.stderr
    return by_file(
        ((VALIDATORS / found["file"]).resolve(), f"{found['line']}: {found['what']}")
        for found in MARKDOWNLINT.finditer(done.stderr)
    )


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    words = [str(word) for word in command]
    return subprocess.run(words, cwd=VALIDATORS, capture_output=True, text=True, check=False)


def by_file(found: Iterable[tuple[Path, str]]) -> Findings:
    findings: Findings = {}
    for file, what in found:
        findings.setdefault(file, []).append(what)
    return findings
