"""Independent validators find no fault in pages, style sheets, drawings and Markdown files.

Each validator also reads a faulty file, which proves that it reads files and finds faults.
"""

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from tests.site.published.fault_report import assert_no_faults
from tests.site.published.release import Release
from tests.site.published.validators import Finding, run_html_validate, run_markdownlint, run_vnu

pytestmark = [
    pytest.mark.npm,
    pytest.mark.exhaustive("checks every page with html-validate and vnu, which is Java"),
]

PAGE = "<!DOCTYPE html>\n<html lang=en>\n<title>A fault</title>\n<p align=left>One</b>\n"
STYLE = "p { colour: red }\n"
DRAWING = '<svg xmlns="http://www.w3.org/2000/svg"><circle radius="1"/></svg>\n'
TEXT = "# One\n\n# Two\n"


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
