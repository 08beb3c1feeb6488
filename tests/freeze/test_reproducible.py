"""With SOURCE_DATE_EPOCH, a release depends only on the content and the settings of the site."""

from pathlib import Path

import pytest

from tests.freeze import commands, processes, sites, target_files

EPOCH = "1767225600"


def test_two_databases_with_the_same_content_give_the_same_release(
    target: Path, empty_database: Path, tmp_path: Path
) -> None:
    database = processes.copy_database(empty_database, tmp_path)
    processes.run_well("-c", processes.LOAD, database=database)
    edit_and_undo(database)

    frozen = processes.freeze(
        tmp_path / "again",
        database=database,
        SOURCE_DATE_EPOCH=EPOCH,
        PYTHONHASHSEED="7",
        TZ="America/St_Johns",
        LC_ALL="C",
        LANG="vi_VN",
        PYTHONUTF8="0",
        PYTHONCOERCECLOCALE="0",
        HOME="/nowhere",
    )

    assert (frozen.returncode, frozen.stderr) == (processes.PUBLISHED, "")
    assert target_files.read_published(tmp_path / "again") == target_files.read_published(target)
    moments = {entry.generated_at for entry in target_files.read_entries(target).values()}
    assert moments == {"2026-01-01T00:00:00Z"}
    later = processes.freeze(target, database=database, SOURCE_DATE_EPOCH="1780000000")
    assert later.returncode == processes.UNCHANGED


def edit_and_undo(database: Path) -> None:
    """Change the keys and the edit moments of rows, and none of their values."""
    with processes.open_database(database) as connection:
        for table in ("principle", "statistic", "teammember", "page"):
            connection.execute(f"UPDATE catalogue_{table} SET id = 5000 - id")  # noqa: S608
        connection.execute("UPDATE catalogue_post SET author_id = 5000 - author_id")
        connection.execute("UPDATE catalogue_page SET title_en = title_en || '!'")
        connection.execute(
            "UPDATE catalogue_page SET title_en = substr(title_en, 1, length(title_en) - 1)"
        )


@pytest.mark.parametrize(
    "epoch", ["", "1_000", "+1", "-1", "1.5", "yesterday", "4102444800", "9" * 5000]
)
@pytest.mark.parametrize("options", [(), ("--check",)], ids=str)
def test_a_wrong_epoch_is_a_usage_error(
    options: tuple[str, ...], epoch: str, small_site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = target_files.read_published(small_site)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)

    frozen = commands.freeze(str(small_site), *options)

    assert (frozen.returncode, frozen.stdout) == (processes.USAGE, "")
    assert "use whole seconds since 1970" in frozen.stderr
    assert len(frozen.stderr) < 200
    assert target_files.read_published(small_site) == before


LIMITS = (
    "site_mirror.documents.sources.MAX_ROWS_IN_GROUP",
    "site_mirror.snapshot.build.CHUNK_DOCUMENTS",
    "site_mirror.snapshot.pool.MAX_PENDING_BATCHES",
)
"""Limits on subjects, documents and batches that are handled at a time."""


def test_published_bytes_do_not_depend_on_the_limits_of_batches(
    small_site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for limit in LIMITS:
        monkeypatch.setattr(limit, 1)

    sites.freeze_into(tmp_path / "again")

    assert target_files.find_differences(tmp_path / "again", small_site) == set()
    assert sites.freeze_into(tmp_path / "again", sites.LATER).outcome == "unchanged"
