"""A host's folder has what the host needs now, and loses nothing that is somebody else's."""

import os
from pathlib import Path

import pytest

from site_mirror.hosts.folder import fill


def test_what_is_needed_no_more_is_removed(tmp_path: Path) -> None:
    fill(tmp_path, {"kept": b"1", "assets/gone": b"2"})
    fill(tmp_path, {"kept": b"3"})

    assert (tmp_path / "kept").read_bytes() == b"3"
    assert not (tmp_path / "assets/gone").exists()


def test_what_somebody_else_put_there_stays(tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets/mine").write_text("mine")
    fill(tmp_path, {"assets/gone": b""})
    fill(tmp_path, {})

    assert (tmp_path / "assets/mine").read_text() == "mine"


def test_a_file_of_the_release_is_linked_and_never_written(tmp_path: Path) -> None:
    source = tmp_path / "release.html"
    source.write_text("released")
    fill(tmp_path / "host", {"file": source})
    assert (tmp_path / "host/file").samefile(source)

    fill(tmp_path / "host", {"file": b"something else"})

    assert source.read_text() == "released"


def test_a_file_of_another_disk_is_copied(tmp_path: Path) -> None:
    source = Path(f"/proc/{os.getpid()}/cmdline")
    fill(tmp_path, {"file": source})

    assert (tmp_path / "file").read_bytes() == source.read_bytes()


def test_a_run_that_failed_leaves_nothing_behind_for_good(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="nowhere"):
        fill(tmp_path, {"first": b"", "second": tmp_path / "nowhere"})
    assert (tmp_path / "first").exists()

    fill(tmp_path, {})

    assert not (tmp_path / "first").exists()
