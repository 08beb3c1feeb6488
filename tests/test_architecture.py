"""The layers: what each module may import, read from the syntax trees."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LAYERS = (
    "catalogue.formats",
    "catalogue.moments",
    "catalogue.texts.localized",
    "catalogue.addresses",
    "catalogue.read_transactions",
    "catalogue.rules",
    "catalogue.accounts",
    "catalogue.texts",
    "catalogue.pictures",
    "catalogue.models",
    "catalogue.migrations",
    "catalogue.triggers",
    "catalogue.apps",
    "catalogue.links",
    "catalogue.questions",
    "catalogue.todays_links",
    "catalogue.milestones",
    "catalogue.transactions",
    "catalogue.content",
    "catalogue.shipped",
    "catalogue.admin",
    "catalogue.management",
    "api",
    "site_mirror.documents",
    "site_mirror.snapshot",
    "site_mirror.settings",
    "site_mirror.sharing",
    "site_mirror.checks",
    "site_mirror.apps",
    "site_mirror.starting",
    "site_mirror.pages",
    "site_mirror.machine",
    "site_mirror.gates",
    "site_mirror.registry",
    "site_mirror.freeze",
    "site_mirror.desk",
    "site_mirror.live",
    "site_mirror.urls",
    "site_mirror.wsgi",
    "site_mirror.hosts",
    "site_mirror.management",
)
"""From bottom to top: a module imports its own layer and those before it, inside functions too."""

PACKAGES = ("catalogue", "api", "site_mirror")
TOP_LEVEL = {
    *(".ci", ".gitignore", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Makefile", "README.md"),
    *("api", "benchmarks", "bin", "catalogue", "docs", "fixtures", "manage.py", "pyproject.toml"),
    *("requirements-dev.lock", "requirements.lock", "site_mirror", "tests", "uv.lock"),
}


def list_modules(folder: str) -> list[Path]:
    path = ROOT / folder
    return [path] if path.is_file() else sorted(path.rglob("*.py"))


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def find_imports(path: Path) -> Iterator[str]:
    """Yield the full name of everything that is imported, inside functions too."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path}: a relative import hides its layer"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def layer_of(name: str) -> str:
    """Return the layer of a module or of something in it; an empty text for a package itself."""
    found = [layer for layer in LAYERS if f"{name}.".startswith(f"{layer}.")]
    return max(found, key=len, default="")


def list_layered() -> list[Path]:
    return [
        path
        for package in PACKAGES
        for path in list_modules(package)
        if name_of(path) not in PACKAGES
    ]


def test_every_module_belongs_to_a_layer() -> None:
    assert [name_of(path) for path in list_layered() if not layer_of(name_of(path))] == []


def test_a_layer_imports_only_layers_below_it() -> None:
    """So no import is circular, and none leads up through other modules."""
    height = {layer: number for number, layer in enumerate(LAYERS)}
    found = {
        f"{name_of(path)} imports {imported}"
        for path in list_layered()
        for imported in find_imports(path)
        if layer_of(imported)
        if height[layer_of(imported)] > height[layer_of(name_of(path))]
    }

    assert found == set()


def test_the_top_level_has_only_known_files() -> None:
    ignored = {".git", ".venv", "var", ".mypy_cache", ".ruff_cache", ".pytest_cache"}
    ignored |= {".hypothesis", ".schemathesis"}

    assert {path.name for path in ROOT.iterdir()} - ignored - TOP_LEVEL == set()
