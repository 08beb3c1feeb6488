"""A release as one file: the same release, the same bytes."""

import json
import os
import shutil
import subprocess
import tarfile
import time
from functools import partial
from pathlib import Path

import pytest
import time_machine

from site_mirror.snapshot import signing
from site_mirror.snapshot.archive import write_archive
from site_mirror.snapshot.errors import ReleaseDamaged, UnusableArchive
from site_mirror.snapshot.verification import findings, subject
from tests.freeze import makers, plain, processes

SIGN = partial(signing.sign, signing.new_pair().private)


def release(target: Path) -> Path:
    plain.published(target, *plain.FIRST, sign=SIGN)
    return (target / "current").resolve()


def archived(folder: Path, name: str = "a.tar.gz") -> Path:
    file = folder / name
    write_archive(release(folder / "site"), file)
    return file


def test_the_same_release_makes_the_same_bytes_elsewhere_and_later(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    first = archived(tmp_path)
    usual = os.umask(0o077)
    try:
        with time_machine.travel(time.time() + 100_000):
            second = archived(tmp_path / "elsewhere", "b.tgz")
    finally:
        os.umask(usual)

    assert first.read_bytes() == second.read_bytes()


def test_a_copy_of_a_release_makes_the_same_bytes(tmp_path: Path) -> None:
    first = archived(tmp_path)
    home = (tmp_path / "site/current").resolve()
    copy = Path(shutil.copytree(home, tmp_path / "copy" / home.name))
    for path in copy.rglob("*"):
        os.utime(path, (1, 1))
        path.chmod(0o700)

    write_archive(copy, tmp_path / "b.tar.gz")

    assert (tmp_path / "b.tar.gz").read_bytes() == first.read_bytes()


def test_an_earlier_release_beside_it_changes_nothing(tmp_path: Path) -> None:
    plain.published(tmp_path / "site", *plain.SECOND, moment=plain.MOMENT)
    plain.published(tmp_path / "site", *plain.FIRST, moment=plain.MOMENT, sign=SIGN)
    first = tmp_path / "a.tar.gz"
    write_archive((tmp_path / "site/current").resolve(), first)
    plain.published(tmp_path / "other", *plain.FIRST, moment=plain.MOMENT, sign=SIGN)

    write_archive((tmp_path / "other/current").resolve(), tmp_path / "b.tar.gz")

    assert (tmp_path / "b.tar.gz").read_bytes() == first.read_bytes()


def test_what_comes_out_is_what_went_in(tmp_path: Path) -> None:
    file = archived(tmp_path)
    home = (tmp_path / "site/current").resolve()

    subprocess.run(["tar", "--extract", "--gzip", "--file", file, "-C", tmp_path], check=True)

    out = tmp_path / home.name
    left_out = {"report.json", "removed.txt", "portions.jsonl", "entries", "seal.json", "made.json"}
    assert makers.tree(out) == {
        name: body for name, body in makers.tree(home).items() if name not in left_out
    }
    assert list(findings(subject(out))) == []


def test_members_are_sorted_and_nobodys(tmp_path: Path) -> None:
    with tarfile.open(archived(tmp_path)) as archive:
        members = archive.getmembers()

    names = [member.name.partition("/")[2] for member in members]
    assert names == [*sorted(names[:-2]), "SHA256SUMS", "manifest.sig"]
    assert {(m.uid, m.gid, m.uname, m.gname, m.mode, m.mtime) for m in members} == {
        (0, 0, "", "", 0o644, int(plain.LATER.timestamp()))
    }
    assert all(member.isfile() for member in members)


def test_the_compressed_stream_tells_neither_time_nor_name(tmp_path: Path) -> None:
    head = archived(tmp_path).read_bytes()[:10]

    assert (head[:3], head[3], head[4:8]) == (b"\x1f\x8b\x08", 0, bytes(4))


@pytest.mark.parametrize("damage", ["altered", "missing", "linked", "unlisted"])
def test_a_release_that_is_damaged_is_not_packed(damage: str, tmp_path: Path) -> None:
    home = release(tmp_path / "site")
    file = home / "public/kept.html"
    if damage == "altered":
        file.write_bytes(b"Another")
    elif damage == "missing":
        file.unlink()
    elif damage == "linked":
        file.unlink()
        file.symlink_to("/etc/hostname")
    else:
        (home / "SHA256SUMS").unlink()

    with pytest.raises(ReleaseDamaged):
        write_archive(home, tmp_path / "a.tar.gz")

    assert [path.name for path in tmp_path.iterdir()] == ["site"]


@pytest.mark.parametrize("place", ["public/a.tar.gz", "a.tar.gz", "public/../public/x/a.tgz"])
def test_an_archive_inside_the_release_is_refused(place: str, tmp_path: Path) -> None:
    home = release(tmp_path / "site")

    with pytest.raises(UnusableArchive, match="it would become a part of the release"):
        write_archive(home, home / place)

    assert list(findings(subject(home))) == []


def test_an_archive_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    file = archived(tmp_path)
    before = file.read_bytes()

    with pytest.raises(UnusableArchive, match="No such file or directory"):
        write_archive((tmp_path / "site/current").resolve(), tmp_path / "no/a.tar.gz")

    assert file.read_bytes() == before


def command(*words: str, database: Path) -> tuple[int, str, str]:
    done = processes.run("manage.py", "snapshot", "archive", *words, database=database)
    return done.returncode, done.stdout, done.stderr


def test_the_command_packs_the_current_release_or_the_one_it_is_told(tmp_path: Path) -> None:
    first, second = plain.two_releases(tmp_path / "site")
    target, none = str(tmp_path / "site"), tmp_path / "none"

    code, told, _ = command(target, str(tmp_path / "a.tar.gz"), database=none)
    earlier, told_of_it, _ = command(
        target, str(tmp_path / "b.tar.gz"), "--release", first, "--json", database=none
    )

    size = (tmp_path / "a.tar.gz").stat().st_size
    assert (code, earlier) == (0, 0)
    assert told == f"{tmp_path}/a.tar.gz holds release {second}: {size} bytes.\n"
    assert json.loads(told_of_it)["release"] == first


def test_the_command_fails_and_refuses_by_its_exit_code(tmp_path: Path) -> None:
    plain.two_releases(tmp_path / "site")
    target, file, none = str(tmp_path / "site"), str(tmp_path / "a.tar.gz"), tmp_path / "none"

    assert command(str(tmp_path), file, database=none)[0] == 1
    assert command(target, file, "--release", "nope", database=none)[0] == 1
    assert command(target, database=none)[0] == 2
    assert not Path(file).exists()
