"""The engine, the addresses and the contract import no framework, directly or indirectly."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.freeze import processes

PROJECT = Path(__file__).resolve().parents[2]
PACKAGES = ("catalogue", "api", "site_mirror")
FRAMEWORKS = {"django", "rest_framework", "drf_spectacular", "unfold"}
FRAMEWORK_FREE = [
    *(
        f"site_mirror.snapshot.{path.stem}"
        for path in sorted((PROJECT / "site_mirror/snapshot").glob("*.py"))
        if path.stem != "__init__"
    ),
    "site_mirror.documents.family",
    "site_mirror.documents.summaries",
    "catalogue.addresses",
    "api.contract",
    "api.envelope",
    "api.headers",
]


def find_file(module: str) -> Path | None:
    path = PROJECT / module.replace(".", "/")
    found = (path.with_suffix(".py"), path / "__init__.py")
    return next((file for file in found if file.is_file()), None)


def find_imports(module: str) -> Iterator[str]:
    """Yield the modules that a module imports, inside functions too."""
    file = find_file(module)
    if file is None:
        return
    package = module if file.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1]
            start = ".".join([*above, node.module or ""]).strip(".") if node.level else node.module
            yield str(start)
            yield from (f"{start}.{alias.name}" for alias in node.names)


def split_into_packages(module: str) -> set[str]:
    """Return a module and its packages, whose `__init__` runs before it."""
    parts = module.split(".")
    return {".".join(parts[:length]) for length in range(1, len(parts) + 1)}


def find_reached_modules(module: str) -> set[str]:
    """Return every module that a module of the project imports, directly or indirectly."""
    seen: set[str] = set()
    waiting = split_into_packages(module)
    while waiting:
        found = waiting.pop()
        seen.add(found)
        if found.partition(".")[0] in PACKAGES:
            named = {part for name in find_imports(found) for part in split_into_packages(name)}
            waiting |= named - seen
    return seen


def find_frameworks(module: str) -> set[str]:
    return {name.partition(".")[0] for name in find_reached_modules(module)} & FRAMEWORKS


@pytest.mark.parametrize("module", FRAMEWORK_FREE)
def test_a_framework_free_module_imports_no_framework_indirectly(module: str) -> None:
    assert find_frameworks(module) == set()


@pytest.mark.parametrize(
    ("module", "found"),
    [
        ("catalogue.read_transactions", {"django"}),
        ("api.lifecycle", {"django"}),
        ("site_mirror.freeze.site", {"django", "rest_framework", "drf_spectacular"}),
    ],
)
def test_indirect_imports_of_a_framework_are_found(module: str, found: set[str]) -> None:
    assert found <= find_frameworks(module)


def test_the_engine_is_one_of_the_framework_free_modules() -> None:
    assert "site_mirror.snapshot.freeze" in FRAMEWORK_FREE
    assert "site_mirror.documents.encodings" in find_reached_modules("site_mirror.snapshot.freeze")


def test_a_freeze_imports_no_view(tmp_path: Path) -> None:
    """Views and the generator of the contract would add a tenth of a second to each freeze."""
    program = (
        "import sys, django; django.setup(); import site_mirror.freeze.site;"
        "print([name for name in sys.modules if name in sys.argv[1:]])"
    )
    names = ("drf_spectacular.generators", "rest_framework.views", "site_mirror.urls")
    done = processes.run("-c", program, *names, database=tmp_path / "no.sqlite3")

    assert done.stdout == "[]\n"
