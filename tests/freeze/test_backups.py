"""A backup that is restored makes the same snapshot, and has the same accounts."""

import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests import postgresql
from tests.freeze import processes
from tests.freeze.target_files import read_tree

pytestmark = pytest.mark.server

EPOCH = "1767225600"
ACCOUNT = """
from django.contrib.auth.models import Group, Permission, User
group = Group.objects.create(name="Writers")
group.permissions.set(Permission.objects.filter(codename__endswith="_post"))
User.objects.create_user("linh", password="a needle", is_staff=True).groups.add(group)
"""
RIGHTS = """
from django.contrib.auth.models import User
user = User.objects.get(username="linh")
print(user.check_password("a needle"), sorted(user.get_group_permissions()))
"""
EDIT = "from catalogue.models import App; App.objects.update(name='Renamed')"
REVISION = "from catalogue.models import Revision; print(*Revision.objects.values_list())"


@dataclass(frozen=True)
class Database:
    """A database by its address, and a folder beside it."""

    url: str
    folder: Path

    def manage(self, *words: str, **changes: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "manage.py", *words],
            cwd=processes.PROJECT,
            env=processes.environment(Path("/nowhere"))
            | {"DATABASE_URL": self.url, "SOURCE_DATE_EPOCH": EPOCH}
            | changes,
            capture_output=True,
            text=True,
            check=False,
            timeout=processes.TIMEOUT_SECONDS,
        )

    def done(self, *words: str) -> str:
        ended = self.manage(*words)
        assert ended.returncode == 0, ended.stderr
        return ended.stdout

    def shell(self, program: str) -> str:
        return self.done("shell", "--verbosity", "0", "--command", program)


@pytest.fixture(scope="module")
def postgresql_server() -> Iterator[str]:
    with postgresql.run_server() as url:
        yield url


def create_database(
    request: pytest.FixtureRequest, folder: Path, vendor: str, name: str
) -> Database:
    if vendor == "sqlite":
        return Database(f"sqlite:///{folder}/{name}.sqlite3", folder)
    server = request.getfixturevalue("postgresql_server")
    unique = f"{name}_{folder.name.replace('-', '_')}".lower()
    subprocess.run(
        ["psql", "--quiet", f"{server}/postgres", "-c", f"CREATE DATABASE {unique}"], check=True
    )
    return Database(f"{server}/{unique}", folder)


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def original(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Database:
    """A database with the shipped content, an account, a backup and a snapshot."""
    folder = tmp_path_factory.mktemp("original")
    database = create_database(request, folder, request.param, "original")
    database.done("migrate", "--verbosity", "0")
    database.done("load_content")
    database.shell(ACCOUNT)
    database.done("freeze", str(folder / "site"))
    database.done("backup", str(folder / "backup"))
    return database


@pytest.fixture
def other(request: pytest.FixtureRequest, original: Database, tmp_path: Path) -> Database:
    """An empty database of the same kind."""
    vendor = "sqlite" if original.url.startswith("sqlite") else "postgresql"
    return create_database(request, tmp_path, vendor, "other")


def test_a_restored_database_makes_the_same_snapshot(original: Database, other: Database) -> None:
    other.done("restore", str(original.folder / "backup"))
    other.done("freeze", str(other.folder / "site"))

    made, restored = (each.folder / "site/current/public" for each in (original, other))
    assert read_tree(restored) == read_tree(made)


def test_accounts_and_permissions_are_restored(original: Database, other: Database) -> None:
    other.done("restore", str(original.folder / "backup"))

    rights = other.shell(RIGHTS)
    assert rights == original.shell(RIGHTS)
    assert "True ['catalogue.add_post'" in rights


def test_a_database_with_content_is_replaced_only_with_the_option_replace(
    original: Database, other: Database
) -> None:
    backup = str(original.folder / "backup")
    other.done("restore", backup)
    other.shell(EDIT)
    target = str(other.folder / "site")
    other.done("freeze", target)

    refused = other.manage("restore", backup)
    other.done("restore", backup, "--replace")
    other.done("freeze", target)

    assert (refused.returncode, "use --replace" in refused.stderr) == (2, True)
    names = (other.folder / "site/current/public/api/v1/apps.json").read_text()
    assert "Renamed" not in names


def test_a_restore_moves_the_revision_and_keeps_the_triggers(
    original: Database, other: Database
) -> None:
    other.done("restore", str(original.folder / "backup"))
    first = other.shell(REVISION)
    other.shell(EDIT)

    assert first != original.shell(REVISION)
    assert other.shell(REVISION) != first


@pytest.mark.exhaustive("starts processes for each other way to use a backup")
def test_a_restore_drops_tables_of_a_newer_program(original: Database, other: Database) -> None:
    other.done("migrate", "--verbosity", "0")
    table = "from django.db import connection; c = connection.cursor(); c.execute('{}')"
    other.shell(table.format("CREATE TABLE newer (id integer)"))
    other.done("restore", str(original.folder / "backup"))

    names = "from django.db import connection; print(connection.introspection.table_names())"
    assert "newer" not in other.shell(names)


def test_a_backup_of_a_newer_program_is_refused(original: Database, other: Database) -> None:
    other.done("restore", str(original.folder / "backup"))
    other.shell(
        "from django.db.migrations.recorder import MigrationRecorder; "
        "from django.db import connection; "
        "MigrationRecorder(connection).record_applied('catalogue', '9999_later')"
    )
    newer = other.folder / "newer"
    other.done("backup", str(newer))
    before = other.shell(REVISION)
    ended = other.manage("restore", str(newer), "--replace")

    assert ended.returncode == 1
    assert "this one lacks catalogue.9999_later" in ended.stderr
    assert other.shell(REVISION) == before


def test_a_damaged_backup_is_not_restored(original: Database, other: Database) -> None:
    other.done("restore", str(original.folder / "backup"))
    before = other.shell(REVISION)
    damaged = other.folder / "damaged"
    whole = (original.folder / "backup").read_bytes()
    damaged.write_bytes(whole[: len(whole) // 2])
    ended = other.manage("restore", str(damaged), "--replace")

    assert ended.returncode == 1
    assert "Traceback" not in ended.stderr
    assert other.shell(REVISION) == before


@pytest.mark.exhaustive("starts processes for each other way to use a backup")
@pytest.mark.parametrize("text", [b"", b"PK\x03\x04", b"SQLite format 3\x00" + b"x" * 4096])
def test_a_file_that_is_not_a_backup_is_refused(
    text: bytes, original: Database, other: Database
) -> None:
    file = other.folder / "file"
    file.write_bytes(text)
    ended = other.manage("restore", str(file))

    assert ended.returncode == 1
    assert str(file) in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.exhaustive("starts processes for each other way to use a backup")
def test_a_missing_backup_is_refused(other: Database) -> None:
    ended = other.manage("restore", str(other.folder / "none"))

    assert ended.returncode == 1
    assert "cannot be read: No such file or directory." in ended.stderr


def test_only_its_owner_may_read_a_backup(original: Database) -> None:
    assert stat.S_IMODE((original.folder / "backup").stat().st_mode) == 0o600


@pytest.mark.exhaustive("starts processes for each other way to use a backup")
def test_a_backup_that_cannot_be_written_leaves_the_last_one(original: Database) -> None:
    ended = original.manage("backup", str(original.folder / "none/backup"))

    assert ended.returncode == 1
    assert "cannot be written: No such file or directory." in ended.stderr
    assert not [*original.folder.glob(".*.part")]


def test_a_backup_has_only_committed_changes_while_an_editor_writes(tmp_path: Path) -> None:
    """SQLite's has nothing that is not committed, and is one file."""
    file = tmp_path / "live.sqlite3"
    processes.fill_database(file, shipped=True)
    live = Database(f"sqlite:///{file}", tmp_path)
    with processes.open_database(file) as connection:
        connection.execute("UPDATE catalogue_app SET name = 'Unsaved'")
        live.done("backup", str(tmp_path / "backup"))
    names = sqlite3.connect(tmp_path / "backup").execute("SELECT name FROM catalogue_app")

    assert "Unsaved" not in {name for (name,) in names}
    assert [path.name for path in tmp_path.glob("backup*")] == ["backup"]


@pytest.mark.exhaustive("starts processes for each other way to use a backup")
def test_a_backup_without_the_programs_of_postgresql_names_the_package(
    request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    database = create_database(request, tmp_path, "postgresql", "original")
    ended = database.manage("backup", str(tmp_path / "backup"), PATH="/nowhere")

    assert ended.returncode == 1
    assert "pg_dump is missing. Install PostgreSQL's client" in ended.stderr
