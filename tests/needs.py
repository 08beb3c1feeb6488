"""What a test needs of the machine: it is skipped without, and fails where CI says so."""

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
"""Chromium, started in a test: as root, without a screen, asking nobody for anything."""


def needs_chromium() -> Path:
    """The browser; a machine without one skips, with CI=1 it fails."""
    if not CHROMIUM.exists():
        missing(f"NOT TESTED IN A BROWSER: {CHROMIUM} is missing (Debian package chromium).")
    return CHROMIUM


def needs_root() -> None:
    """Mounting a file system is root's; others skip, with CI=1 they fail."""
    if os.geteuid() != 0:
        missing("NOT TESTED ON A FULL DISK: mounting a file system is root's.")


def needs_command(name: str, package: str) -> str:
    """A program of the machine, and the Debian package that has it."""
    found = shutil.which(name)
    if found is None:
        missing(f"NOT TESTED AS READERS RUN IT: {name} is missing (Debian package {package}).")
    return found


def needs_java() -> str:
    """The machine that runs the W3C's checker."""
    java = shutil.which("java")
    if java is None:
        missing("NOT CHECKED BY VNU: java is missing (Debian package default-jre-headless).")
    return java


def needs_node() -> Path:
    """The Node.js that the validators are locked with."""
    return needs_module(".bin/node")


def needs_module(path: str) -> Path:
    """A file of the locked npm packages."""
    file = MODULES / path
    if not file.exists():
        missing(f"NOT VALIDATED: {path} is missing; {INSTALL}.")
    return file


def needs_program(name: str, package: str) -> str:
    """A server of Debian's; a machine without it skips, with CI=1 it fails."""
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin")
    if found is None:
        missing(f"NOT TESTED ON {name.upper()}: it is missing (Debian package {package}).")
    return found


def needs_file(path: Path, package: str) -> Path:
    """A part of such a server."""
    if not path.exists():
        missing(f"NOT TESTED: {path} is missing (Debian package {package}).")
    return path


def missing(reason: str) -> NoReturn:
    if os.environ.get("CI") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


def needs_loop_devices() -> None:
    """Mounting a file as a disk; a machine without skips, with CI=1 it fails."""
    needs_root()
    if not (Path("/dev/loop-control").exists() and shutil.which("mkfs.ext4")):
        missing("NOT TESTED ON A FULL ext4: there is no loop device, or no mkfs.ext4 (e2fsprogs).")
