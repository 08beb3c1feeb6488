"""The drill: a backup is restored, makes the same snapshot and has the same accounts."""

import stat
import subprocess
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest

from tests import postgresql
from tests.freeze import processes
from tests.freeze.target_files import read_tree

OTHER_DATABASE = pytest.mark.exhaustive("runs a dozen commands, as on SQLite")
Manage = Callable[..., subprocess.CompletedProcess[str]]
SHELL = ("shell", "--no-imports", "--command")
CONTENT = """
from django.core.management import call_command
call_command("migrate", verbosity=0)
call_command("load_content")
"""
ACCOUNT = """
from django.contrib.auth.models import Group, Permission, User
group = Group.objects.create(name="Writers")
group.permissions.set(Permission.objects.filter(codename__endswith="_post"))
User.objects.create_user("linh", password="a needle", is_staff=True).groups.add(group)
"""
RIGHTS = """
from django.contrib.auth.models import User
from django.db import connection
user = User.objects.get(username="linh")
print(user.check_password("a needle"), sorted(user.get_group_permissions()))
print(connection.introspection.table_names())
"""
NEWER = """
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
MigrationRecorder(connection).record_applied("catalogue", "9999_later")
connection.cursor().execute("CREATE TABLE newer (id integer)")
"""
BACKUP = """
from django.core.management import call_command
call_command("backup", "{}")
"""
RESTORE_WRONG = """
from django.core.management import CommandError, call_command
for name in ("half", "text", "newer"):
    try:
        call_command("restore", "{}/" + name, "--replace")
    except CommandError as error:
        print(error)
"""
EDIT = "from catalogue.models import App; App.objects.update(name='Renamed')"
NO_ACCOUNTS = "from django.contrib.auth.models import User; User.objects.all().delete()"
UNCOMMITTED = """
from django.core.management import call_command
from django.db import transaction
from catalogue.models import App
import subprocess, sys
with transaction.atomic():
    App.objects.update(name="Unsaved")
    subprocess.run([sys.executable, "manage.py", "backup", "{}"], check=True)
    transaction.set_rollback(True)
"""


@pytest.fixture(params=["sqlite", "postgresql"])
def manage(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Manage]:
    """`manage.py` with a database that has the shipped content and an account."""

    def run(*words: str, code: int = 0) -> subprocess.CompletedProcess[str]:
        variables = {"DATABASE_URL": url, "SOURCE_DATE_EPOCH": "1767225600"}
        ended = processes.run("manage.py", *words, database=tmp_path / "a.sqlite3", **variables)
        assert ended.returncode == code, ended.stderr
        return ended

    with postgresql.run_server() if request.param == "postgresql" else nullcontext() as server:
        url = f"{server}/postgres" if server else f"sqlite:///{tmp_path}/a.sqlite3"
        if not server:
            processes.fill_database(tmp_path / "a.sqlite3", shipped=True)
        content = CONTENT if server else ""
        run(*SHELL, content + ACCOUNT)
        yield run


@pytest.mark.server
def test_a_backup_brings_back_content_and_accounts(manage: Manage, tmp_path: Path) -> None:
    backup = str(tmp_path / "backup")
    manage("freeze", str(tmp_path / "before"))
    manage(*SHELL, UNCOMMITTED.format(backup))
    rights = manage(*SHELL, RIGHTS).stdout
    manage(*SHELL, f"{EDIT}; {NO_ACCOUNTS}; {NEWER}")

    refused = manage("restore", backup, code=2)
    manage("restore", backup, "--replace")
    manage("freeze", str(tmp_path / "after"))

    assert "use --replace" in refused.stderr
    before, after = (read_tree(tmp_path / name / "current/public") for name in ("before", "after"))
    assert after == before
    assert "True ['catalogue.add_post'" in rights
    assert manage(*SHELL, RIGHTS).stdout == rights
    assert stat.S_IMODE((tmp_path / "backup").stat().st_mode) == 0o600
    assert len([*tmp_path.glob("*backup*")]) == 1


@pytest.mark.server
@pytest.mark.parametrize(
    "manage", ["sqlite", pytest.param("postgresql", marks=OTHER_DATABASE)], indirect=True
)
def test_a_wrong_backup_is_refused_and_changes_nothing(manage: Manage, tmp_path: Path) -> None:
    backup = tmp_path / "backup"
    manage("backup", str(backup))
    (tmp_path / "half").write_bytes(backup.read_bytes()[: backup.stat().st_size // 2])
    (tmp_path / "text").write_text("Not a backup.")
    manage(*SHELL, f"{NEWER}{BACKUP.format(tmp_path / 'newer')}{EDIT}")
    manage("freeze", str(tmp_path / "site"))

    ended = manage("restore", str(tmp_path / "none"), "--replace", code=1)
    assert ended.stderr.count("\n") == 1, ended.stderr
    found = manage(*SHELL, RESTORE_WRONG.format(tmp_path)).stdout.splitlines()
    assert len(found) == 3, found
    assert "this one lacks catalogue.9999_later" in found[-1]
    manage("freeze", str(tmp_path / "site"), code=processes.UNCHANGED)
    ended = manage("backup", str(tmp_path / "none/backup"), code=1)
    assert "cannot be written: No such file or directory." in ended.stderr
