"""The layers: who may import whom, read off the syntax trees."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MAY_IMPORT = {
    "catalogue": {"catalogue"},
    "api": {"api", "catalogue"},
    "site_mirror": {"site_mirror", "api", "catalogue"},
}
FRAMEWORKS = {"django", "rest_framework", "drf_spectacular", "corsheaders", "unfold"}
PLAIN = [
    "catalogue/addresses.py",
    "catalogue/moments.py",
    "catalogue/reading_time.py",
    "catalogue/localized.py",
    "api/contract.py",
    "api/envelope.py",
    "api/headers.py",
    "api/validation.py",
    "site_mirror/documents.py",
    "site_mirror/encodings.py",
    "site_mirror/listing.py",
    *(
        f"site_mirror/machine/{name}.py"
        for name in ("agents", "api_catalog", "humans", "llms", "robots", "security", "sitemap")
    ),
    *(
        str(path.relative_to(ROOT))
        for package in (
            *("catalogue/markdown", "site_mirror/snapshot", "site_mirror/hosts"),
            "site_mirror/gates",
        )
        for path in (ROOT / package).rglob("*.py")
    ),
]
TOP_LEVEL = {
    ".ci",
    ".gitignore",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "Makefile",
    "README.md",
    "api",
    "benchmarks",
    "bin",
    "catalogue",
    "docs",
    "fixtures",
    "manage.py",
    "pyproject.toml",
    "requirements-dev.lock",
    "requirements.lock",
    "site_mirror",
    "tests",
    "uv.lock",
}


def modules(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def imported(path: Path) -> Iterator[str]:
    """Full names of every imported module, inside functions too."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path}: a relative import hides its layer"
            yield node.module


def dotted_settings(path: Path) -> Iterator[str]:
    """Texts that name a module of the project, as `import_module` and settings take them."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            first, dot, rest = node.value.partition(".")
            if dot and first in MAY_IMPORT and rest.replace(".", "").isidentifier():
                yield node.value


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_a_layer_imports_nothing_above_it(package: str) -> None:
    above = set(MAY_IMPORT) - MAY_IMPORT[package]
    found = {
        f"{path.relative_to(ROOT)} imports {name}"
        for path in modules(package)
        for name in (*imported(path), *dotted_settings(path))
        if name.partition(".")[0] in above
    }

    assert found == set()


@pytest.mark.parametrize("file", PLAIN)
def test_the_core_imports_no_framework(file: str) -> None:
    found = {name for name in imported(ROOT / file) if name.partition(".")[0] in FRAMEWORKS}

    assert found == set()


def test_the_registry_imports_no_view() -> None:
    views = {"api.views", "api.viewsets", "site_mirror.views", "site_mirror.urls"}

    assert views.isdisjoint(imported(ROOT / "site_mirror/registry.py"))
    assert views.isdisjoint(imported(ROOT / "site_mirror/families.py"))


def test_the_api_never_hears_of_documents() -> None:
    texts = {path.name: path.read_text() for path in modules("api")}

    assert [name for name, text in texts.items() if "site_mirror" in text] == []


def test_the_contents_of_the_top_level_are_the_known_ones() -> None:
    ignored = {".git", ".venv", "var", ".mypy_cache", ".ruff_cache", ".pytest_cache"}
    ignored |= {".hypothesis", ".schemathesis"}
    present = {path.name for path in ROOT.iterdir()} - ignored

    assert present - TOP_LEVEL == set()
