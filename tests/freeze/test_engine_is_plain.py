"""The engine, the addresses and the contract's constants import no framework, however far."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
PACKAGES = ("catalogue", "api", "site_mirror")
FRAMEWORKS = {"django", "rest_framework", "drf_spectacular", "corsheaders", "unfold"}
PLAIN = [
    *(
        f"site_mirror.snapshot.{path.stem}"
        for path in sorted((PROJECT / "site_mirror/snapshot").glob("*.py"))
        if path.stem != "__init__"
    ),
    "site_mirror.documents",
    "site_mirror.listing",
    "catalogue.addresses",
    "api.contract",
    "api.envelope",
    "api.headers",
]


def file_of_module(module: str) -> Path | None:
    path = PROJECT / module.replace(".", "/")
    found = (path.with_suffix(".py"), path / "__init__.py")
    return next((file for file in found if file.is_file()), None)


def imported_by(module: str) -> Iterator[str]:
    """Modules that a module's text names in imports, those inside functions included."""
    file = file_of_module(module)
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


def with_packages(module: str) -> set[str]:
    """A module and the packages whose `__init__` runs before it."""
    parts = module.split(".")
    return {".".join(parts[:length]) for length in range(1, len(parts) + 1)}


def reached(module: str) -> set[str]:
    """Every module that importing one brings in, as far as the project's own text says."""
    seen: set[str] = set()
    waiting = with_packages(module)
    while waiting:
        found = waiting.pop()
        seen.add(found)
        if found.partition(".")[0] in PACKAGES:
            named = {part for name in imported_by(found) for part in with_packages(name)}
            waiting |= named - seen
    return seen


def frameworks(module: str) -> set[str]:
    return {name.partition(".")[0] for name in reached(module)} & FRAMEWORKS


@pytest.mark.parametrize("module", PLAIN)
def test_a_plain_module_reaches_no_framework(module: str) -> None:
    assert frameworks(module) == set()


@pytest.mark.parametrize(
    ("module", "found"),
    [
        ("catalogue.reading", {"django"}),
        ("api.lifecycle", {"django"}),
        ("site_mirror.freezing", {"django", "rest_framework", "drf_spectacular"}),
    ],
)
def test_the_walk_does_find_a_framework(module: str, found: set[str]) -> None:
    assert found <= frameworks(module)


def test_the_engine_itself_is_among_the_plain_modules() -> None:
    assert "site_mirror.snapshot.engine" in PLAIN
    assert "site_mirror.encodings" in reached("site_mirror.snapshot.engine")
