"""A release as an archive: the same release gives the same bytes."""

import json
import os
import shutil
import subprocess
import tarfile
import time
from pathlib import Path

import pytest
import time_machine

from site_mirror.snapshot import signing
from site_mirror.snapshot.archive import write_archive
from site_mirror.snapshot.errors import ReleaseDamaged, UnusableArchive
from site_mirror.snapshot.layout import BATCHES, ITEMS, STATE
from site_mirror.snapshot.verify import find_discrepancies, find_files_to_verify
from tests.freeze import commands, engine, target_files

KEY = signing.generate_key_pair().private


def publish_release(target: Path) -> Path:
    engine.publish(target, *engine.FIRST, signing_key=KEY)
    return (target / "current").resolve()


def publish_archive(folder: Path, name: str = "a.tar.gz") -> Path:
    file = folder / name
    write_archive(publish_release(folder / "site"), file)
    return file


def test_an_archive_does_not_depend_on_place_time_and_umask(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    first = publish_archive(tmp_path)
    usual = os.umask(0o077)
    try:
        with time_machine.travel(time.time() + 100_000):
            second = publish_archive(tmp_path / "elsewhere", "b.tgz")
    finally:
        os.umask(usual)

    assert first.read_bytes() == second.read_bytes()


def test_an_archive_of_a_copied_release_has_the_same_bytes(tmp_path: Path) -> None:
    first = publish_archive(tmp_path)
    home = (tmp_path / "site/current").resolve()
    copy = Path(shutil.copytree(home, tmp_path / "copy" / home.name))
    for path in copy.rglob("*"):
        os.utime(path, (1, 1))
        path.chmod(0o700)

    write_archive(copy, tmp_path / "b.tar.gz")

    assert (tmp_path / "b.tar.gz").read_bytes() == first.read_bytes()


def test_an_archive_does_not_depend_on_other_releases_of_its_target(tmp_path: Path) -> None:
    engine.publish(tmp_path / "site", *engine.SECOND, moment=engine.MOMENT)
    engine.publish(tmp_path / "site", *engine.FIRST, moment=engine.MOMENT, signing_key=KEY)
    first = tmp_path / "a.tar.gz"
    write_archive((tmp_path / "site/current").resolve(), first)
    engine.publish(tmp_path / "other", *engine.FIRST, moment=engine.MOMENT, signing_key=KEY)

    write_archive((tmp_path / "other/current").resolve(), tmp_path / "b.tar.gz")

    assert (tmp_path / "b.tar.gz").read_bytes() == first.read_bytes()


def test_an_archive_has_every_file_of_a_release_but_report_and_cache(tmp_path: Path) -> None:
    file = publish_archive(tmp_path)
    home = (tmp_path / "site/current").resolve()

    subprocess.run(["tar", "--extract", "--gzip", "--file", file, "-C", tmp_path], check=True)

    out = tmp_path / home.name
    left_out = {"report.json", "removed.txt", STATE, BATCHES, ITEMS}
    assert target_files.read_tree(out) == {
        name: body for name, body in target_files.read_tree(home).items() if name not in left_out
    }
    assert list(find_discrepancies(find_files_to_verify(out))) == []


def test_members_of_an_archive_are_sorted_and_have_no_owner(tmp_path: Path) -> None:
    with tarfile.open(publish_archive(tmp_path)) as archive:
        members = archive.getmembers()

    names = [member.name.partition("/")[2] for member in members]
    assert names == [*sorted(names[:-2]), "SHA256SUMS", "manifest.sig"]
    assert {(m.uid, m.gid, m.uname, m.gname, m.mode, m.mtime) for m in members} == {
        (0, 0, "", "", 0o644, int(engine.LATER.timestamp()))
    }
    assert all(member.isfile() for member in members)


def test_the_gzip_header_of_an_archive_has_neither_time_nor_name(tmp_path: Path) -> None:
    head = publish_archive(tmp_path).read_bytes()[:10]

    assert (head[:3], head[3], head[4:8]) == (b"\x1f\x8b\x08", 0, bytes(4))


@pytest.mark.parametrize("damage", ["altered", "missing", "linked", "unlisted"])
def test_a_damaged_release_is_not_archived(damage: str, tmp_path: Path) -> None:
    home = publish_release(tmp_path / "site")
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
    home = publish_release(tmp_path / "site")

    with pytest.raises(UnusableArchive, match="it would become a part of the release"):
        write_archive(home, home / place)

    assert list(find_discrepancies(find_files_to_verify(home))) == []


def test_an_archive_that_cannot_be_written_does_not_replace_the_old_one(tmp_path: Path) -> None:
    file = publish_archive(tmp_path)
    before = file.read_bytes()

    with pytest.raises(UnusableArchive, match="No such file or directory"):
        write_archive((tmp_path / "site/current").resolve(), tmp_path / "no/a.tar.gz")

    assert file.read_bytes() == before


def run_archive(*words: str) -> tuple[int, str, str]:
    done = commands.run("snapshot", "archive", *words)
    return done.returncode, done.stdout, done.stderr


def test_the_command_archives_the_current_release_or_a_named_one(tmp_path: Path) -> None:
    first, second = engine.publish_two_releases(tmp_path / "site")
    target = str(tmp_path / "site")

    code, output, _ = run_archive(target, str(tmp_path / "a.tar.gz"))
    earlier, json_output, _ = run_archive(
        target, str(tmp_path / "b.tar.gz"), "--release", first, "--json"
    )

    size = (tmp_path / "a.tar.gz").stat().st_size
    assert (code, earlier) == (0, 0)
    assert output == f"{tmp_path}/a.tar.gz holds release {second}: {size} bytes.\n"
    assert json.loads(json_output)["release"] == first


def test_the_archive_command_has_exit_code_1_for_failures_and_2_for_usage(tmp_path: Path) -> None:
    engine.publish_two_releases(tmp_path / "site")
    target, file = str(tmp_path / "site"), str(tmp_path / "a.tar.gz")

    assert run_archive(str(tmp_path), file)[0] == 1
    assert run_archive(target, file, "--release", "nope")[0] == 1
    assert run_archive(target)[0] == 2
    assert not Path(file).exists()
