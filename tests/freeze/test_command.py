"""`manage.py freeze TARGET`: its options, its reports and its exit codes."""

import errno
import json
import os
import re
import shlex
import subprocess
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from catalogue.models import Post
from site_mirror.management.commands.freeze import parse_moment
from site_mirror.snapshot import files
from site_mirror.snapshot.target import Target
from tests.freeze import commands, file_damages, processes, sites, target_files

GATES = [
    *("files", "contract", "coverage", "links", "hosts", "mirrors", "texts"),
    *("vanished", "deletions"),
]
MEMBERS = {
    *("outcome", "release", "previous", "documents", "written", "kept", "removed", "redirects"),
    *("nextDue", "healed", "strange", "gates", "seconds"),
}


def test_the_first_freeze_publishes_and_the_second_changes_nothing(
    database: Path, tmp_path: Path
) -> None:
    target = tmp_path / "site"

    first = processes.freeze(target, database=database)
    second = processes.freeze(target, database=database)

    release = str((target / "current").readlink()).removeprefix("releases/")
    documents = len(target_files.read_entries(target))
    assert (first.returncode, second.returncode) == (processes.PUBLISHED, processes.UNCHANGED)
    assert first.stdout.startswith(
        f"Published {documents} documents as {target}/current (release {release}): "
    )
    assert [line.partition(":")[0].strip() for line in first.stdout.splitlines()[1:]] == GATES
    assert second.stdout == f"Nothing changed: {documents} documents, release {release} stays.\n"


def test_the_option_check_publishes_nothing_and_reports_as_a_freeze(small_site: Path) -> None:
    before = target_files.read_published(small_site)
    unchanged = commands.freeze(str(small_site), "--check")
    sites.edit_post("older", title_en="Another title")

    checked = commands.freeze(str(small_site), "--check")
    after = target_files.read_published(small_site)
    published = commands.freeze(str(small_site), "--json")

    assert (unchanged.returncode, checked.returncode, published.returncode) == (3, 0, 0)
    release = before[0].removeprefix("releases/")
    assert checked.stdout.startswith(f"Nothing was published, and release {release} stays. ")
    assert after == before
    assert target_files.find_leftovers(small_site) == set()
    report = json.loads(published.stdout)
    current = str((small_site / "current").readlink())
    assert target_files.list_releases(small_site) == {before[0], current}
    assert (report["outcome"], f"releases/{report['release']}") == ("published", current)
    assert (report.keys(), report["seconds"].keys()) == (MEMBERS, {"render", "gates", "publish"})


def test_as_of_a_moment_the_site_is_as_it_will_be(db: None, tmp_path: Path) -> None:
    sites.make_site()
    Post.objects.filter(slug="newer").update(publish_at="2099-01-01T00:00:00Z")
    frozen = {
        when: commands.freeze(str(tmp_path / when), "--as-of", when, "--json")
        for when in ("2098-12-31T23:59:59Z", "2099-01-01T00:00:00Z")
    }

    entries = {when: target_files.read_entries(tmp_path / when) for when in frozen}
    reports = {when: json.loads(done.stdout) for when, done in frozen.items()}
    assert ["/blog/newer" in each for each in entries.values()] == [False, True]
    assert [report["nextDue"] for report in reports.values()] == ["2099-01-01T00:00:00Z", None]
    assert "falls due at 2099-01-01T00:00:00Z." in commands.freeze(str(tmp_path / "now")).stdout
    moments = {each.generated_at for found in entries.values() for each in found.values()}
    assert max(moments) < "2098"
    assert [report["asOf"] for report in reports.values()] == list(frozen)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("2027-01-31", datetime(2027, 1, 30, 17, tzinfo=UTC)),
        ("2027-01-31T09:00", datetime(2027, 1, 31, 2, tzinfo=UTC)),
        ("2027-01-31T09:00:00Z", datetime(2027, 1, 31, 9, tzinfo=UTC)),
        ("2027-01-31T09:00:00+02:00", datetime(2027, 1, 31, 7, tzinfo=UTC)),
    ],
)
def test_a_moment_is_the_studios_unless_it_names_a_zone(text: str, found: datetime) -> None:
    assert parse_moment(text) == found


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("", "usage:"),
        ("a --what", "usage:"),
        ("' '", "the name is empty"),
        *(
            (f"a --as-of {text}", "is not a moment")
            for text in ("soon", "2027-02-30", "0001-01-01")
        ),
        ("a --as-of 9999-12-31T23:59:59-12:00", "is not a moment"),
        *((f"a --jobs {text}", "use 1 or more") for text in ("0", "-1", "two")),
        ("a --keep 5", "unrecognized arguments: --keep 5"),
        ("a --deletions 101", "is not a percentage"),
        ("a --retire blog", "is not an address of https://studio.example"),
        ("a --check --diff", "not allowed with argument"),
    ],
)
def test_wrong_arguments_are_a_usage_error(words: str, said: str) -> None:
    done = commands.freeze(*shlex.split(words))

    assert (done.returncode, done.stdout) == (processes.USAGE, "")
    assert said in done.stderr
    assert not Path("a").exists()


def test_a_release_is_expected_only_where_one_was_published(small_site: Path) -> None:
    """Without one, or with a damaged manifest, the gates would have nothing to compare with."""
    empty = small_site.with_name("empty")
    sites.edit_post("older", title_en="Another title")
    first = commands.freeze(str(empty), "--expect-previous", "--json")
    later = commands.freeze(str(small_site), "--expect-previous")
    again = commands.freeze(str(small_site), "--expect-previous")
    file_damages.truncate(small_site / "current/manifest.jsonl")
    damaged = commands.freeze(str(small_site), "--expect-previous")

    assert (later.returncode, again.returncode) == (processes.PUBLISHED, processes.UNCHANGED)
    for refused, target in ((first, empty), (damaged, small_site)):
        assert refused.returncode == processes.FAILED
        assert f"{target} has no readable release, but --expect-previous says" in refused.stderr
    assert json.loads(first.stdout)["outcome"] == "failed"
    assert not empty.exists()


@pytest.mark.parametrize("place", ["a closed pipe", "closed", "/dev/full"])
def test_the_exit_code_says_what_was_done_if_nobody_reads_the_report(
    place: str, target: Path, database: Path
) -> None:
    def run(*words: str) -> int:
        if place == "a closed pipe":
            reader, output = os.pipe()
            os.close(reader)
        else:
            output = os.open("/dev/null" if place == "closed" else place, os.O_WRONLY)
        process = subprocess.run(
            [*processes.PYTHON, "manage.py", *words],
            cwd=processes.PROJECT,
            env=processes.environment(database),
            stdout=output,
            stderr=output,
            preexec_fn=partial(os.closerange, 0, 3) if place == "closed" else None,
            check=False,
        )
        os.close(output)
        return process.returncode

    file_damages.flip_bit(target / "current/public/favicon.ico")
    codes = [run("freeze", str(target)), run("freeze", str(target))]
    if place == "a closed pipe":
        codes += [run("migrate")]
    elif place == "/dev/full":
        codes += [run("backup", str(target.with_name("backup")))]

    assert codes == [processes.PUBLISHED, processes.UNCHANGED, 0][: len(codes)]
    assert len(target_files.list_releases(target)) == 2


def test_a_full_disk_behind_a_report_is_no_failure(small_site: Path, tmp_path: Path) -> None:
    current = str(small_site / "current")
    for words, code in (
        (("freeze", str(small_site), "--check", "--json"), processes.UNCHANGED),
        (("releases", str(small_site)), 0),
        (("snapshot", "verify", str(small_site)), 0),
        (("host", "nginx", current, str(tmp_path / "nginx")), 0),
    ):
        with Path("/dev/full").open("w") as full:
            assert commands.run(*words, output=full).returncode == code


def test_the_help_names_the_exit_codes() -> None:
    done = commands.freeze("--help")

    assert done.returncode == 0
    assert (
        "0 published, 3 nothing changed, 1 failed (the published release stays), 2 usage."
        in " ".join(done.stdout.split())
    )


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS])
def test_a_disk_that_cannot_be_written_is_named_in_one_sentence(
    code: int, small_site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: str, mode: int = 0) -> int:
        raise OSError(code, os.strerror(code), path)

    sites.edit_post("older", title_en="Another title")
    monkeypatch.setattr(files, "create_file", refuse)

    failed, in_json = commands.freeze(str(small_site)), commands.freeze(str(small_site), "--json")

    said = f"{small_site} cannot be written: {os.strerror(code)} ({small_site}/releases/.partial-"
    assert (failed.returncode, in_json.returncode, failed.stdout) == (1, 1, "")
    assert (failed.stderr.count("\n"), said in failed.stderr) == (1, True)
    report = json.loads(in_json.stdout)
    assert (report["outcome"], said in report["error"]) == ("failed", True)


def test_a_freeze_that_changes_nothing_removes_leftovers(small_site: Path) -> None:
    releases = small_site / "releases"
    (releases / ".partial-1/public").mkdir(parents=True)
    (releases / ".partial-2").symlink_to(releases)
    (releases / ".partial-3").write_text("Withdrawn")
    (small_site / "current.new").symlink_to((small_site / "current").readlink())
    (small_site / "current.back").symlink_to("x")
    before = target_files.read_published(small_site)

    assert commands.freeze(str(small_site)).returncode == processes.UNCHANGED
    assert target_files.find_leftovers(small_site) == set()
    assert target_files.read_published(small_site) == before
    with Target(small_site).locked(), Target(small_site).staging() as (workspace, _):
        # The staging folder of a freeze that is running stays.
        assert commands.freeze(str(small_site)).returncode == processes.UNCHANGED
        assert workspace.staging.is_dir()


def test_the_command_reports_rebuilt_and_planted_files(small_site: Path) -> None:
    first = (small_site / "current").resolve()
    file_damages.flip_bit(first / "public/about.html")
    done = [commands.freeze(str(small_site), *words) for words in (["--check"], [], ["--verify"])]
    second = (small_site / "current").resolve()
    file_damages.flip_bit_without_a_trace(second / "public/about.html")
    done += [commands.freeze(str(small_site), *words) for words in ([], ["--verify"])]
    third = (small_site / "current").resolve()
    (third / "errors/418.md").write_text("Planted")
    done += [commands.freeze(str(small_site)), commands.freeze(str(small_site))]

    damaged = "public/about.html in release {} was not as it was published: {}.\n".format
    planted = f"errors/418.md in release {third.name} does not belong to it"
    assert [(each.returncode, each.stderr) for each in done] == [
        (0, damaged(first.name, "a freeze writes it again")),
        (0, damaged(first.name, "it was written again")),
        (3, ""),
        (3, ""),
        (0, damaged(second.name, "it was written again")),
        (0, f"{planted}: the new release does not have it.\n"),
        (3, ""),
    ]


@pytest.mark.exhaustive("freezes the shipped content at a terminal")
def test_progress_is_shown_on_a_terminal_only(database: Path, tmp_path: Path) -> None:
    # `script` runs a program at a terminal, of which it prints both streams.
    words = [*processes.PYTHON, "manage.py", "freeze", str(tmp_path / "site")]
    shown = subprocess.run(
        ["script", "--quiet", "--return", "--command", shlex.join(words), "/dev/null"],
        cwd=processes.PROJECT,
        env=processes.environment(database),
        capture_output=True,
        text=True,
        check=True,
    )
    piped = processes.freeze(tmp_path / "other", database=database, FORCE_COLOR="1")

    assert len(re.findall(r"(?m)^\d+ documents$", shown.stdout)) > 1
    assert "Published " in shown.stdout
    assert (piped.stderr, "\x1b" in piped.stdout) == ("", False)
