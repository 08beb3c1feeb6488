"""Requirements of tests: a test without one is skipped, or fails with CI=1."""

import os
import shutil
from pathlib import Path
from typing import NoReturn

import pytest

CHROMIUM = Path("/usr/bin/chromium")
VALIDATORS = Path(__file__).parent / "validators"
MODULES = VALIDATORS / "node_modules"
INSTALL = "`npm ci --prefix tests/validators` installs it"

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
"""Arguments of Chromium in a test: as root, without a screen, without requests to other hosts."""


def needs_chromium() -> Path:
    """Require Chromium."""
    if not CHROMIUM.exists():
        missing(f"NOT TESTED IN A BROWSER: {CHROMIUM} is missing (Debian package chromium).")
    return CHROMIUM


def needs_root() -> None:
    """Require root, which may mount file systems."""
    if os.geteuid() != 0:
        missing("NOT TESTED ON A FULL DISK: mounting a file system is root's.")


def needs_node() -> Path:
    """Require the version of Node.js that the validators are locked with."""
    return needs_module(".bin/node")


def needs_module(path: str) -> Path:
    """Require a file of the locked npm packages."""
    file = MODULES / path
    if not file.exists():
        missing(f"NOT VALIDATED: {path} is missing; {INSTALL}.")
    return file


def needs_program(name: str, package: str) -> str:
    """Require a program, named with its Debian package."""
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin")
    if found is None:
        missing(f"NOT TESTED WITH {name}: it is missing (Debian package {package}).")
    return found


def needs_file(path: Path, package: str) -> Path:
    """Require a file of a Debian package."""
    if not path.exists():
        missing(f"NOT TESTED: {path} is missing (Debian package {package}).")
    return path


def missing(reason: str) -> NoReturn:
    if os.environ.get("CI") == "1":
        pytest.fail(reason)
    pytest.skip(reason)
