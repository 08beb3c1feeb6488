"""Every process of the live origin shows an edit, and no response mixes two states."""

import json
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from functools import partial
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, build_opener, urlopen

import psycopg
import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.freeze.processes import PROJECT, environment, fill_database
from tests.live_origins import Origin, run_origin
from tests.ports import free_port
from tests.postgresql import run_server

pytestmark = pytest.mark.server

MANAGE = [sys.executable, "manage.py"]
TYPED_WORDS = "a password of many words"
FILL = f"""
from django.contrib.auth.models import User
from tests import factories
User.objects.create_superuser("mai", password={TYPED_WORDS!r})
factories.make_version()
factories.make_studio()
for slug, position in (("instruments", 1), ("tracking-sdks", 2)):
    factories.make_statistic(slug=slug, position=position, value=1, display="one")
"""
"""Two rows that every edit of a test changes together."""
CHANGE_BOTH = """
from django.db import transaction
from catalogue.models import Statistic
for number in range(2, 120):
    with transaction.atomic():
        for row in Statistic.objects.order_by("pk"):
            row.value = number
            row.save()
"""
ROLL_BACK = """
from django.db import transaction
from catalogue.models import Statistic
for number in range(20):
    with transaction.atomic():
        Statistic.objects.update(value=99)
        transaction.set_rollback(True)
"""
SCHEDULE = """
from datetime import timedelta
from django.utils import timezone
from tests import factories
due = timezone.now().replace(microsecond=0) + timedelta(seconds=6)
print(factories.make_post(publish_at=due).publish_at.isoformat())
"""


class Site:
    """Two live origins, as on two machines, on one database; the second has two workers."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.ports = (free_port(), free_port())
        variables = {"SITE_ROOT": f"http://127.0.0.1:{self.ports[0]}", "DATABASE_URL": address}
        self.environment = environment(Path(), RATE_LIMIT="0", ACCESS_LOG="0", **variables)

    def run(self, code: str) -> str:
        """Run code in a process of its own, and return what it prints."""
        return subprocess.run(
            [*MANAGE, "shell", "--no-imports", "--command", code],
            cwd=PROJECT,
            env=self.environment,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        ).stdout

    @contextmanager
    def serve(self, port: int, workers: int) -> Iterator[Origin]:
        command = [*MANAGE, "serve", "--port", str(port), "--workers", str(workers)]
        with run_origin(command, port, self.environment) as origin:
            yield origin

    def statistics(self, port: int) -> set[float]:
        with urlopen(f"http://127.0.0.1:{port}/api/v1/stats") as answer:
            return {row["value"] for row in json.load(answer)["data"]}

    def shows(self, port: int, value: int) -> bool:
        return self.statistics(port) == {value}

    def status(self, port: int, path: str) -> int:
        try:
            with urlopen(f"http://127.0.0.1:{port}{path}") as answer:
                return int(answer.status)
        except HTTPError as error:
            return error.code

    def save_in_admin(self, value: int) -> None:
        """Log in at the first origin and save both counters as an editor does."""
        root = f"http://127.0.0.1:{self.ports[0]}"
        browser = build_opener(HTTPCookieProcessor(CookieJar()))

        def send(path: str, **typed: str) -> None:
            page = LexborHTMLParser(browser.open(root + path).read())
            form = page.css("form[method=post]:not([action*='/image/'])")[-1]  # It has a dialog.
            fields = {
                name: field.attributes.get("value") or field.text()
                for field in form.css("input[name], textarea[name]")
                if (name := field.attributes["name"]) and not name.startswith("_")
            } | {
                str(choice.attributes["name"]): chosen.attributes["value"] or ""
                for choice in form.css("select[name]")
                for chosen in choice.css("option[selected]")
            }
            data = urlencode(fields | typed).encode()
            browser.addheaders = [("Referer", root + path)]
            browser.open(root + path, data).read()

        send("/admin/login/?next=/admin/", username="mai", password=TYPED_WORDS)
        for row in (1, 2):
            send(f"/admin/catalogue/statistic/{row}/change/", value=str(value), _save="1")


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def site(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    with ExitStack() as stack:
        if request.param == "sqlite":
            file = tmp_path_factory.mktemp("site") / "catalogue.sqlite3"
            fill_database(file, shipped=False)
            found = Site(f"sqlite:///{file}")
        else:
            found = Site(f"{stack.enter_context(run_server())}/postgres")
            words = [*MANAGE, "migrate", "--verbosity", "0"]
            subprocess.run(words, cwd=PROJECT, env=found.environment, check=True)
        found.run(FILL)
        for port, workers in zip(found.ports, (1, 2), strict=True):
            stack.enter_context(found.serve(port, workers))
        yield found


def until(holds: Callable[[], bool]) -> None:
    """Wait until something holds."""
    for _ in range(600):
        if holds():
            return
        time.sleep(0.1)
    raise TimeoutError


def test_an_edit_is_seen_at_once_where_it_was_saved_and_soon_everywhere(site: Site) -> None:
    first, second = site.ports
    for value in (501, 502):  # No other test saves these.
        site.save_in_admin(value)
        assert site.statistics(first) == {value}
        for _ in range(4):  # Both workers.
            until(partial(site.shows, second, value))


def test_no_response_mixes_two_states_or_shows_a_rolled_back_one(site: Site) -> None:
    before = {port: site.statistics(port) for port in site.ports}
    site.run(ROLL_BACK)
    assert {port: site.statistics(port) for port in site.ports} == before

    changing = subprocess.Popen(
        [*MANAGE, "shell", "--no-imports", "--command", CHANGE_BOTH],
        cwd=PROJECT,
        env=site.environment,
    )
    seen = list[set[float]]()
    while changing.poll() is None:
        seen += [site.statistics(port) for port in site.ports]

    assert changing.returncode == 0
    assert [values for values in seen if len(values) != 1] == []
    until(lambda: all(site.shows(port, 119) for port in site.ports))


def test_a_scheduled_post_appears_at_its_moment(site: Site) -> None:
    due = datetime.fromisoformat(site.run(SCHEDULE).strip())
    appeared = dict[int, datetime]()
    while len(appeared) < len(site.ports):
        for port in site.ports:
            if site.status(port, "/blog/a-post") == 200:
                appeared.setdefault(port, datetime.now(UTC))

    assert all(moment >= due for moment in appeared.values())


@pytest.mark.parametrize("site", ["postgresql"], indirect=True)
def test_sigterm_lets_a_response_end(site: Site) -> None:
    port = free_port()
    with (
        site.serve(port, workers=1) as origin,
        psycopg.connect(site.address) as database,
        ThreadPoolExecutor() as pool,
    ):
        database.execute("LOCK TABLE catalogue_statistic")
        begun = pool.submit(site.statistics, port)
        until(lambda: database.execute("SELECT FROM pg_locks WHERE NOT granted").rowcount == 1)
        origin.process.terminate()
        until(lambda: not is_open(port))
        database.rollback()

        assert begun.result() == site.statistics(site.ports[0])
        assert origin.process.wait(timeout=60) == 0


def is_open(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0
