"""Freezes by the command, and reads what they publish."""

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

import time_machine
from django.core.management import CommandError, call_command

from tests.freeze.commands import compressed_once
from tests.freeze.incremental.corpus import NOW

PUBLIC_FOLDERS = ("public", "errors")
METADATA_FILES = ("manifest.jsonl", "manifest.sig", "SHA256SUMS")
"""Files that hosts serve or read. All other files are for the next freeze only."""


@dataclass(frozen=True)
class Freeze:
    """The report of the command."""

    report: dict[str, Any]

    @property
    def outcome(self) -> str:
        return str(self.report["outcome"])

    @property
    def is_refused(self) -> bool:
        return self.outcome == "failed"


def freeze(target: Path, at: datetime = NOW, *options: str, moment: datetime = NOW) -> Freeze:
    """Freeze the content of the moment `at` with the clock stopped at `moment`."""
    output = StringIO()
    epoch = {"SOURCE_DATE_EPOCH": str(int(moment.timestamp()))}
    words = ["--json", "--jobs=1", "--as-of", at.isoformat(), "--allow-deletions", *options]
    clock = time_machine.travel(moment, tick=False)
    with mock.patch.dict(os.environ, epoch), clock, compressed_once():
        try:
            call_command("freeze", str(target), *words, *retire_everything(target), stdout=output)
        except (CommandError, SystemExit):
            if not output.getvalue():
                raise
    return Freeze(json.loads(output.getvalue()))


def retire_everything(target: Path) -> list[str]:
    """Return options that retire every published address."""
    return [f"--retire={address}" for address in list_addresses(target)]


def list_addresses(target: Path) -> Iterator[str]:
    """Yield the addresses of documents and of redirects."""
    for line in read_manifest(target):
        if found := line.get("document") or line.get("redirect"):
            yield found


def read_manifest(target: Path) -> list[dict[str, Any]]:
    file = target / "current/manifest.jsonl"
    return [json.loads(line) for line in file.read_bytes().splitlines()] if file.exists() else []


def read_documents(target: Path) -> dict[str, dict[str, Any]]:
    """Return the lines of documents in the manifest, by address."""
    return {line["document"]: line for line in read_manifest(target) if "document" in line}


def list_files(line: dict[str, Any]) -> list[str]:
    """Return the files of a document, the uncompressed one first."""
    return [line["file"], *(variant["file"] for variant in line["encodings"])]


def read_published(target: Path) -> dict[str, bytes]:
    """Return the bytes of every file that hosts serve or read."""
    release = target / "current"
    files = [release / name for name in METADATA_FILES if (release / name).exists()]
    files += [
        path for part in PUBLIC_FOLDERS for path in (release / part).rglob("*") if path.is_file()
    ]
    return {str(path.relative_to(release)): path.read_bytes() for path in files}


def find_differences(incremental: Path, full: Path) -> set[str]:
    """Return the files that only one of two targets has, or that differ."""
    here, there = read_published(incremental), read_published(full)
    return {file for file in here.keys() | there.keys() if here.get(file) != there.get(file)}


def copy_target(target: Path, copy: Path) -> Path:
    return Path(shutil.copytree(target, copy, symlinks=True))
