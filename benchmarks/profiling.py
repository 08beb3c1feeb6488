"""Profiles of a full freeze: the time of functions and of imports."""

import pstats
import re
import subprocess
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.contestants import PROJECT_FOLDER, Project
from benchmarks.corpus import Corpus
from benchmarks.running import Command, base_environment, run_command
from benchmarks.tables import Table

ORDERS = ("own", "cumulative")
IMPORT_STATEMENTS = "import django; django.setup(); import site_mirror.freeze.site"
IMPORT_LINE = re.compile(r"^import time:\s+(\d+) \|\s+(\d+) \|( +)(\S+)$")


@dataclass(frozen=True, slots=True)
class Function:
    """One function in a profile, with the seconds of all its calls."""

    name: str
    calls: int
    own: float
    cumulative: float


@dataclass(frozen=True, slots=True)
class Import:
    """The import of a module in microseconds; `cumulative` includes the modules that it imports."""

    name: str
    own: int
    cumulative: int
    depth: int


def profile_freeze(project: Project, folder: Path) -> pstats.Stats:
    """Profile the main process of a full freeze."""
    freeze = project.command(folder / "profiled")
    file = folder / "profile"
    words = (freeze.words[0], "-m", "cProfile", "-o", str(file), *freeze.words[1:])
    run_command(Command(words, freeze.folder, freeze.environment, freeze.accepted))
    return pstats.Stats(str(file))


def prepare_project(folder: Path, corpus: Corpus, posts: int) -> Project:
    project = Project()
    project.prepare(folder, corpus, posts)
    return project


def read_functions(profile: pstats.Stats) -> list[Function]:
    rows: dict[tuple[str, int, str], tuple[int, int, float, float, object]] = profile.stats  # type: ignore[attr-defined]
    return [
        Function(function_label(file, line, name), calls, own, cumulative)
        for (file, line, name), (_, calls, own, cumulative, _) in rows.items()
    ]


def function_label(file: str, line: int, name: str) -> str:
    """Return a label such as `site_mirror/pages/html.py:31 write`; built-ins have no file."""
    if file == "~":
        return name.strip("<>")
    if file.startswith(str(PROJECT_FOLDER)) and "site-packages" not in file:
        return f"{Path(file).relative_to(PROJECT_FOLDER)}:{line} {name}"
    short = file.rpartition("site-packages/")[2] if "site-packages" in file else Path(file).name
    return f"{short}:{line} {name}"


def table(found: list[Function], by: str, top: int, posts: int) -> Table:
    """Return a table of the functions with the most time; it includes the cost of the profiler."""
    listed = sorted(found, key=lambda function: getattr(function, by), reverse=True)[:top]
    title = f"Functions by {by} time, {posts:,} posts"
    rows = [
        (
            function.name,
            f"{function.calls:,}",
            f"{function.own:.3f}",
            f"{function.cumulative:.3f}",
            f"{getattr(function, by) / posts * 1e6:,.0f}",
        )
        for function in listed
    ]
    return Table(title, ("function", "calls", "own s", "cumulative s", "µs a post"), rows)


def measure_imports(project: Project) -> list[Import]:
    """Measure the imports of a freeze that has something to do."""
    freeze = project.command(Path("unused"))
    words = (freeze.words[0], "-X", "importtime", "-c", IMPORT_STATEMENTS)
    done = subprocess.run(  # noqa: S603  (the words are this package's own)
        words,
        cwd=freeze.folder,
        env=base_environment() | dict(freeze.environment),
        capture_output=True,
        text=True,
        check=True,
    )
    return list(parse_imports(done.stderr))


def parse_imports(text: str) -> Iterator[Import]:
    for line in text.splitlines():
        if found := IMPORT_LINE.match(line):
            own, cumulative, indent, name = found.groups()
            yield Import(name, int(own), int(cumulative), len(indent) // 2)


def imports_table(found: list[Import], top: int) -> Table:
    """Return a table of the packages with the longest imports."""
    packages: dict[str, int] = {}
    for module in found:
        package = module.name.partition(".")[0]
        packages[package] = packages.get(package, 0) + module.own
    first = {module.name: module.cumulative for module in reversed(found)}
    listed = sorted(packages.items(), key=lambda package: package[1], reverse=True)[:top]
    rows = [
        (name, f"{own / 1000:.1f}", f"{first.get(name, own) / 1000:.1f}") for name, own in listed
    ]
    rows.append(("everything", f"{sum(packages.values()) / 1000:.1f}", ""))
    return Table("Imports of the command, ms", ("package", "own", "first import with others"), rows)


def members(functions: list[Function], imports: list[Import], posts: int) -> dict[str, Any]:
    return {
        "posts": posts,
        "functions": [asdict(function) for function in functions],
        "imports": [asdict(module) for module in imports],
    }
