"""Filling a host's folder removes files of the run before, and no others."""

import os
from pathlib import Path

import pytest

from site_mirror.hosts.folder import fill_folder


def test_files_of_the_run_before_are_removed_and_no_others(tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets/mine").write_text("mine")
    fill_folder(tmp_path, {"kept": b"1", "assets/gone": b"2"})
    fill_folder(tmp_path, {"kept": b"3"})

    assert (tmp_path / "kept").read_bytes() == b"3"
    assert (tmp_path / "assets/mine").read_text() == "mine"
    assert not (tmp_path / "assets/gone").exists()


def test_a_file_of_the_release_is_hard_linked_and_never_overwritten(tmp_path: Path) -> None:
    source = tmp_path / "release.html"
    source.write_text("released")
    fill_folder(tmp_path / "host", {"file": source})
    fill_folder(tmp_path / "host", {"file": source})
    assert (tmp_path / "host/file").samefile(source)
    assert {path.name for path in (tmp_path / "host").iterdir()} == {".files", "file"}

    fill_folder(tmp_path / "host", {"file": b"something else"})

    assert source.read_text() == "released"


def test_a_file_on_another_file_system_is_copied(tmp_path: Path) -> None:
    source = Path(f"/proc/{os.getpid()}/cmdline")
    fill_folder(tmp_path, {"file": source})

    assert (tmp_path / "file").read_bytes() == source.read_bytes()


def test_the_next_run_removes_the_files_of_a_failed_run(tmp_path: Path) -> None:
    fill_folder(tmp_path, {"older": b"", "second": b"2"})
    with pytest.raises(OSError, match="nowhere"):
        fill_folder(tmp_path, {"first": b"", "second": tmp_path / "nowhere"})
    assert (tmp_path / "first").exists()
    assert (tmp_path / "second").read_bytes() == b"2"  # A host may read it at any time.

    fill_folder(tmp_path, {})

    assert not (tmp_path / "first").exists()
    assert not (tmp_path / "older").exists()
