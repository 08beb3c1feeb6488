"""Freezes by the command, and what they have published, seen from outside."""

import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from io import StringIO
from pathlib import Path
from typing import Any
from unittest import mock
from zlib import crc32

import time_machine
from django.core.management import CommandError, call_command

from site_mirror.management.commands import freeze as commands
from tests.freeze.incremental.corpus import NOW

SERVED = ("public", "errors")
TOLD = ("manifest.jsonl", "manifest.sig", "SHA256SUMS")
"""What hosts serve, and what they are told by. All else is between one freeze and the next."""


@dataclass(frozen=True)
class Freeze:
    """What the command reported."""

    told: dict[str, Any]

    @property
    def outcome(self) -> str:
        return str(self.told["outcome"])

    @property
    def refused(self) -> bool:
        return self.outcome == "failed"


def freeze(target: Path, at: datetime = NOW, *options: str, moment: datetime = NOW) -> Freeze:
    """The site as it is at one moment, said to be made at another, by a clock that stands still.

    Half of the time, by what is published, all of it is linked ahead, as that of a large site is.
    """
    output = StringIO()
    epoch = {"SOURCE_DATE_EPOCH": str(int(moment.timestamp()))}
    words = ["--json", "--jobs=1", "--as-of", at.isoformat(), "--allow-deletions", *options]
    pays = mock.patch.object(commands, "pays", return_value=linked_ahead(target))
    with mock.patch.dict(os.environ, epoch), time_machine.travel(moment, tick=False), pays:
        try:
            call_command("freeze", str(target), *words, *retiring(target), stdout=output)
        except (CommandError, SystemExit):
            if not output.getvalue():
                raise
    return Freeze(json.loads(output.getvalue()))


def linked_ahead(target: Path) -> bool:
    file = target / "current/manifest.jsonl"
    return file.exists() and crc32(file.read_bytes()) % 2 == 0


def retiring(target: Path) -> list[str]:
    """Options that let go of everything that is published."""
    return [f"--retire={address}" for address in answered(target)]


def answered(target: Path) -> Iterator[str]:
    """Addresses of documents and of redirects."""
    for line in manifest(target):
        if found := line.get("document") or line.get("redirect"):
            yield found


def manifest(target: Path) -> list[dict[str, Any]]:
    file = target / "current/manifest.jsonl"
    return [json.loads(line) for line in file.read_bytes().splitlines()] if file.exists() else []


def documents(target: Path) -> dict[str, dict[str, Any]]:
    """Lines of the manifest by address."""
    return {line["document"]: line for line in manifest(target) if "document" in line}


def files(line: dict[str, Any]) -> list[str]:
    """What lies on disk for a document, its own file first."""
    return [line["file"], *(variant["file"] for variant in line["encodings"])]


def published(target: Path) -> dict[str, bytes]:
    """Every file that hosts serve or are told by, with its bytes; none before the first freeze."""
    release = target / "current"
    files = [release / name for name in TOLD if (release / name).exists()]
    files += [path for part in SERVED for path in (release / part).rglob("*") if path.is_file()]
    return {str(path.relative_to(release)): path.read_bytes() for path in files}


def differences(incremental: Path, full: Path) -> set[str]:
    """Files that only one of two targets has, or that have other bytes."""
    here, there = published(incremental), published(full)
    return {file for file in here.keys() | there.keys() if here.get(file) != there.get(file)}


def copied(target: Path, copy: Path) -> Path:
    return Path(shutil.copytree(target, copy, symlinks=True))
