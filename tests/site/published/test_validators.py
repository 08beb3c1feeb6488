"""Independent validators find nothing in any page, style sheet, drawing or Markdown file.

Each is handed a file with a fault too: one that finds nothing there has read nothing.
"""

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from tests.site.published.faults import none_in
from tests.site.published.release import Release
from tests.site.published.validators import Finding, html_validate, markdownlint, vnu

PAGE = "<!DOCTYPE html>\n<html lang=en>\n<title>A fault</title>\n<p align=left>One</b>\n"
STYLE = "p { colour: red }\n"
DRAWING = '<svg xmlns="http://www.w3.org/2000/svg"><circle radius="1"/></svg>\n'
TEXT = "# One\n\n# Two\n"


def by_place(release: Release, findings: list[Finding]) -> dict[str, list[str]]:
    """What was found, by file below the public tree and line."""
    found: dict[str, list[str]] = {}
    for each in findings:
        place = f"{each.file.relative_to(release.public)}:{each.line}"
        found.setdefault(place, []).append(each.what)
    return found


@pytest.mark.parametrize(
    ("validator", "media_types", "faults"),
    [
        (vnu, ("text/html", "text/css", "image/svg+xml"), [PAGE, STYLE, DRAWING]),
        (html_validate, ("text/html",), [PAGE]),
        (markdownlint, ("text/markdown",), [TEXT]),
    ],
    ids=["vnu", "html-validate", "markdownlint"],
)
def test_a_validator_finds_nothing_but_the_faults_that_it_must_find(
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
    none_in(by_place(release, [each for each in found if each.file not in faulty]))
