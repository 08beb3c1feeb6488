"""The project's own papers say what the code says."""

import re
import tomllib
from pathlib import Path

import yaml

from api.contract import API_VERSION
from site_mirror.checks import STATIC_FILES_WARNING
from site_mirror.snapshot.layout import RELEASE_PARTS

ROOT = Path(__file__).resolve().parent.parent


def section(text: str, heading: str) -> str:
    return re.split(r"^## ", text.partition(f"## {heading}\n")[2], flags=re.MULTILINE)[0]


def test_the_changelog_and_the_shipped_content_name_the_version_that_is_served() -> None:
    changelog = section((ROOT / "CHANGELOG.md").read_text(), "The contract")
    versions = yaml.safe_load((ROOT / "fixtures/versions.yaml").read_text())

    assert re.findall(r"^### (\S+)", changelog, flags=re.MULTILINE)[0] == API_VERSION
    assert [
        row["fields"]["api_version"] for row in versions if row["fields"]["status"] == "current"
    ] == [API_VERSION]


def test_every_setting_is_documented() -> None:
    documented = (ROOT / "docs/settings.md").read_text()
    settings = (ROOT / "site_mirror/settings/__init__.py").read_text()
    variables = set(re.findall(r'env\.\w+\(\s*"([A-Z_]+)"', settings))

    assert {name for name in variables if f"`{name}`" not in documented} == set()
    assert STATIC_FILES_WARNING in documented


def test_every_dependency_says_what_it_is_for() -> None:
    lines = (ROOT / "pyproject.toml").read_text().splitlines()
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text())
    names = [*groups["project"]["dependencies"], *groups["dependency-groups"]["dev"]]
    places = [lines.index(f'    "{name}",') for name in names]

    assert all(has_reason(lines, place) for place in places)


def has_reason(lines: list[str], place: int) -> bool:
    """A comment stands above the dependency, or above the group that it continues."""
    above = lines[place - 1].strip()
    return above.startswith("#") or (above.startswith('"') and has_reason(lines, place - 1))


def test_the_tree_of_a_release_has_each_of_its_parts() -> None:
    tree = (ROOT / "docs/releases.md").read_text().partition("```text\n")[2].partition("```")[0]
    listed = re.findall(r"^    ([\w.]+)/?  ", tree, flags=re.MULTILINE)

    assert sorted(listed) == sorted(RELEASE_PARTS)


def test_no_picture_of_a_document_is_heavy() -> None:
    pictures = [*ROOT.glob("docs/images/*.png")]

    assert pictures
    assert [each.name for each in pictures if each.stat().st_size > 120_000] == []


def without_code(text: str) -> str:
    """Examples link to a site, not to a document."""
    fenced = re.compile(r"^(`{3,}).*?^\1$", re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`\n]*`", "", fenced.sub("", text))


def test_every_file_that_a_document_names_or_links_to_exists() -> None:
    """Tests, modules and other documents: a table of promises must not outlive its tests."""
    named = re.compile(r"`((?:tests|docs|site_mirror|catalogue|fixtures)/[\w./-]+\.\w+)`")
    link = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")
    for document in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]:
        text = document.read_text()
        files = [ROOT / file for file in named.findall(text)]
        files += [document.parent / target for target in link.findall(without_code(text))]

        assert [str(file) for file in files if not file.exists()] == [], document.name


def test_documents_name_the_subject_of_a_sentence() -> None:
    """Words with which a sentence avoids its subject, or the usual word for a thing."""
    avoided = re.compile(
        r"\b(told|anew|whoever|whatever|nobody|somebody|in short|(?<!there )is no(?! longer))\b"
        r"|(?:\. |\n\n)What\b",
        re.IGNORECASE,
    )
    documents = [ROOT / "README.md", *ROOT.glob("docs/*.md"), *ROOT.glob("docs/deploy/*")]

    found = [
        f"{document.name}: {match[0]}"
        for document in documents
        for match in avoided.finditer(document.read_text())
    ]

    assert found == []


def test_each_file_with_the_mark_of_the_example_is_listed() -> None:
    """Each has an outline of the bob; a studio of one's own replaces them."""
    page = (ROOT / "docs/start.md").read_text()
    files = (path for path in (ROOT / "site_mirror").rglob("*") if path.suffix in {".html", ".py"})
    drawings = [str(path.relative_to(ROOT)) for path in files if "M9 0h6v5" in path.read_text()]

    assert len(drawings) == 3
    assert [path for path in drawings if f"`{path}`" not in page] == []
