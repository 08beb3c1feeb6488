"""Concurrent failed log-ins at several workers, on SQLite or PostgreSQL."""

import http.client
import os
import re
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlencode

import psycopg
import pytest

from tests.freeze.processes import PROJECT, PYTHON, environment, run
from tests.ports import free_port, wait_for

pytestmark = [pytest.mark.server, pytest.mark.exhaustive("races eight browsers against each other")]

PASSWORD = "tám quả dọi treo nghiêng"  # noqa: S105
AT_ONCE, TRIES, LIMIT = 8, 40, 5
FILL = f"""
import django
django.setup()
from django.contrib.auth.models import User
from django.core.management import call_command
call_command("migrate", verbosity=0)
User.objects.create_user("linh", password={PASSWORD!r}, is_staff=True)
"""
COUNT = """
import django
django.setup()
from axes.models import AccessAttempt
print(*AccessAttempt.objects.values_list("failures_since_start", flat=True))
"""


@pytest.fixture
def database(tmp_path: Path) -> Iterator[str]:
    """The address of an empty database of the same kind as that of the tests."""
    server = os.environ.get("DATABASE_URL", "")
    if not server.startswith("postgres"):
        yield f"sqlite:///{tmp_path}/catalogue.sqlite3"
        return
    root, name = server.rpartition("/")[0], "many_log_ins"
    with psycopg.connect(f"{root}/postgres", autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {name}")  # type: ignore[arg-type]
        connection.execute(f"CREATE DATABASE {name}")  # type: ignore[arg-type]
        yield f"{root}/{name}"
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")  # type: ignore[arg-type]


def test_concurrent_failures_are_all_counted_without_server_errors(database: str) -> None:
    port = free_port()
    variables = environment(
        Path("unused"), DATABASE_URL=database, SITE_ROOT=f"http://127.0.0.1:{port}"
    )
    options = {"database": Path("unused"), "DATABASE_URL": database}
    assert run("-c", FILL, **options).returncode == 0  # type: ignore[arg-type]
    command = [*PYTHON, "manage.py", "serve", "--port", str(port), "--workers", "2"]
    with subprocess.Popen(command, cwd=PROJECT, env=variables) as server:
        try:
            wait_for(port)
            with ThreadPoolExecutor(AT_ONCE) as crowd:
                statuses = list(crowd.map(lambda _: log_in(port, "wrong"), range(TRIES)))
            locked = log_in(port, PASSWORD)
        finally:
            server.terminate()
    [failures] = run("-c", COUNT, **options).stdout.split()  # type: ignore[arg-type]

    assert set(statuses) == {200, 429}
    assert locked == 429
    assert statuses.count(200) <= LIMIT - 1
    assert LIMIT <= int(failures) <= LIMIT + AT_ONCE


def log_in(port: int, password: str) -> int:
    """Return the status of a log-in by a new browser."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", "/admin/login/")
    page = connection.getresponse()
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.read().decode())
    cookie = (page.getheader("Set-Cookie") or "").partition(";")[0]
    assert token
    typed = {"username": "linh", "password": password, "csrfmiddlewaretoken": token[1]}
    headers = {"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded"}
    connection.request("POST", "/admin/login/", urlencode(typed), headers)
    status = connection.getresponse().status
    connection.close()
    return status
