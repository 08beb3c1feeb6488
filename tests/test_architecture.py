"""The layers: which packages may import which, read from the syntax trees."""

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
FRAMEWORK_FREE = [
    "catalogue/addresses.py",
    "catalogue/moments.py",
    "catalogue/reading_time.py",
    "catalogue/localized.py",
    "api/contract.py",
    "api/envelope.py",
    "api/headers.py",
    "api/validation.py",
    *(
        f"site_mirror/documents/{name}.py"
        for name in ("built", "context", "digests", "encodings", "family", "sources", "summaries")
    ),
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


def list_modules(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def find_imports(path: Path) -> Iterator[str]:
    """Yield the full name of everything that is imported, inside functions too."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path}: a relative import hides its layer"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def find_dotted_names(path: Path) -> Iterator[str]:
    """Yield texts that name a module of the project, as in settings."""
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
        for path in list_modules(package)
        for name in (*find_imports(path), *find_dotted_names(path))
        if name.partition(".")[0] in above
    }

    assert found == set()


@pytest.mark.parametrize("file", FRAMEWORK_FREE)
def test_the_core_imports_no_framework(file: str) -> None:
    found = {name for name in find_imports(ROOT / file) if name.partition(".")[0] in FRAMEWORKS}

    assert found == set()


def find_imported_packages(package: str) -> set[str]:
    """Return the packages of `site_mirror` that the modules of one of them import."""
    found = {name for path in list_modules(f"site_mirror/{package}") for name in find_imports(path)}
    parts = [name.split(".") for name in found if name.startswith("site_mirror.")]
    return {second for _, second, *_ in parts if (ROOT / "site_mirror" / second).is_dir()}


def test_no_two_packages_import_each_other() -> None:
    folders = [path.parent.name for path in (ROOT / "site_mirror").glob("*/__init__.py")]
    imports = {package: find_imported_packages(package) - {package} for package in folders}
    mutual = {
        f"{package} and {other}"
        for package, others in imports.items()
        for other in others
        if package in imports[other]
    }

    assert mutual == set()


def test_the_only_other_package_of_the_layer_that_the_engine_imports_is_documents() -> None:
    """Gates, pages and the registry are arguments of the engine."""
    assert find_imported_packages("snapshot") == {"snapshot", "documents"}


def test_the_registry_imports_no_view() -> None:
    views = {"api.views", "site_mirror.live.views", "site_mirror.urls"}

    assert views.isdisjoint(find_imports(ROOT / "site_mirror/registry/table.py"))
    assert views.isdisjoint(find_imports(ROOT / "site_mirror/registry/families.py"))


def test_the_api_does_not_mention_the_site() -> None:
    texts = {path.name: path.read_text() for path in list_modules("api")}

    assert [name for name, text in texts.items() if "site_mirror" in text] == []


def test_the_top_level_has_only_known_files() -> None:
    ignored = {".git", ".venv", "var", ".mypy_cache", ".ruff_cache", ".pytest_cache"}
    ignored |= {".hypothesis", ".schemathesis"}
    present = {path.name for path in ROOT.iterdir()} - ignored

    assert present - TOP_LEVEL == set()
