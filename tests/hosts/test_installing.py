"""The documented installation on an empty host: one command, and the same one again."""

import json
import os
import re
import signal
import stat
import subprocess
from collections.abc import Iterator
from html.parser import HTMLParser
from http import HTTPStatus
from pathlib import Path

import pytest
from django.core.management import get_commands

from site_mirror.hosts import release
from tests import needs
from tests.freeze.makers import tree
from tests.freeze.processes import PROJECT
from tests.hosts import debian, supervisor
from tests.hosts.debian import HOST, ROOT, Debian

pytestmark = pytest.mark.server

SECTION = debian.section("A Debian host with nginx")
FIRST = SECTION.partition("### ")[0]
SCRIPT = PROJECT / "docs/deploy/install.sh"
OPERATE = debian.commands(
    debian.section("Backup and restore", (PROJECT / "docs/operate.md").read_text())
)


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Debian]:
    found = Debian(tmp_path_factory.mktemp("debian"))
    (found.folder / "password").write_text("a needle beside a lift shaft\n")
    found.changes["PASSWORD_FILE"] = str(found.folder / "password")
    try:
        yield found
    finally:
        found.switch_off()


@pytest.fixture(scope="module")
def first(host: Debian) -> subprocess.CompletedProcess[str]:
    return host.follow(FIRST)


@pytest.fixture
def installed(host: Debian, first: subprocess.CompletedProcess[str]) -> Debian:
    assert first.returncode == 0, first.stderr
    return host


def test_the_documented_commands_install_an_empty_host(
    host: Debian, first: subprocess.CompletedProcess[str]
) -> None:
    assert first.returncode == 0, first.stderr
    report = json.loads(first.stdout.splitlines()[-1])
    assert (report["outcome"], report["before"]) == ("deployed", "")
    assert report["release"] == (host.data / "site/current").resolve().name


def test_the_site_and_the_admin_are_served_under_one_name(installed: Debian) -> None:
    snapshot = release.read(installed.data / "site/current")
    home, login = installed.ask("/"), installed.ask("/admin/login/")
    style = re.search(rb'href="(/static/[^"]+\.css)"', login.body)

    assert home.headers["etag"] == snapshot.by_address["/"].headers["ETag"]
    assert (login.status, b"csrfmiddlewaretoken" in login.body) == (200, True)
    assert style
    assert installed.ask(style.group(1).decode()).status == 200
    assert installed.ask("/admin").headers["location"] == "/admin/"
    assert installed.ask("/", Host="elsewhere.example").status == 400
    assert installed.ask("/admin/", Host="elsewhere.example").status == 400


def test_plain_http_leads_to_https_but_for_challenges(installed: Debian) -> None:
    challenge = installed.folder / "webroot/.well-known/acme-challenge"
    challenge.mkdir(parents=True)
    (challenge / "token").write_text("proof")
    moved = installed.ask_plainly("/blog?x=1")

    assert (moved.status, moved.headers["location"]) == (308, f"{ROOT}/blog?x=1")
    assert installed.ask_plainly("/.well-known/acme-challenge/token").body == b"proof"


class Token(HTMLParser):
    value = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if ("name", "csrfmiddlewaretoken") in attrs:
            self.value = dict(attrs)["value"] or ""


def test_the_administrator_logs_in_through_nginx(installed: Debian) -> None:
    jar = installed.folder / "cookies"
    words = ["curl", "--silent", "--cacert", str(installed.certificate.authority)]
    words += ["--connect-to", f"{HOST}:443:127.0.0.1:{installed.port}"]
    words += ["--cookie-jar", str(jar), "--cookie", str(jar)]
    page = f"{ROOT}/admin/login/"
    form = subprocess.run([*words, page], capture_output=True, text=True, check=True)
    token = Token()
    token.feed(form.stdout)
    values = ("username=administrator", "password=a needle beside a lift shaft")
    sent = [f"csrfmiddlewaretoken={token.value}", *values, "next=/admin/"]
    data = [word for value in sent for word in ("--data-urlencode", value)]
    end = ["--header", f"Origin: {ROOT}", "--referer", page, "--write-out", "%{http_code}"]
    answer = subprocess.run(
        [*words, *data, *end, "--output", os.devnull, page],
        capture_output=True,
        text=True,
        check=True,
    )

    assert answer.stdout == "302"
    assert "sessionid" in jar.read_text()


def test_secrets_and_the_database_are_the_accounts_alone(installed: Debian) -> None:
    modes = {
        path: stat.S_IMODE(path.stat().st_mode)
        for path in (installed.settings, installed.data / "database", installed.data / "backups")
    }

    assert list(modes.values()) == [0o600, 0o700, 0o700]
    assert re.match(r"SECRET_KEY=[0-9a-f]{64}\n", installed.settings.read_text())


def test_no_log_has_the_address_of_a_reader(installed: Debian) -> None:
    for _ in range(3):
        installed.ask("/nothing")

    assert not (installed.folder / "access.log").exists() or (
        (installed.folder / "access.log").read_text() == ""
    )


def test_a_killed_origin_is_started_again(installed: Debian) -> None:
    pidfile = installed.folder / "service.pid"
    before = pidfile.read_text()
    supervisor.hold(pidfile).touch()
    try:
        os.kill(int(before), signal.SIGKILL)
        down = installed.ask_until_down("/admin/")
    finally:
        supervisor.hold(pidfile).unlink()

    assert down.status == HTTPStatus.INTERNAL_SERVER_ERROR
    assert "client: " not in (installed.folder / "nginx.log").read_text()
    assert installed.is_well()
    assert pidfile.read_text() != before


def test_the_second_run_is_the_same_command(installed: Debian) -> None:
    edit = (
        "from catalogue.models import App; App.objects.filter(slug='stashio').update(name='Mine')"
    )
    installed.manage("shell", "--command", edit)
    (installed.folder / "password").write_text("another needle in a haystack\n")
    settings = installed.settings.read_text()
    backups = installed.data / "backups"
    older = [f"202601{day:02}T000000Z" for day in range(1, 13)]
    own = ["today", "Monday", "20250101", *(f"mine-{number}" for number in range(9))]
    for name in (*older, *own):
        (backups / name).touch()
    again = installed.install()

    assert again.returncode == 0, again.stderr
    assert json.loads(again.stdout.splitlines()[-1])["outcome"] == "deployed"
    assert "An administrator exists" in again.stdout
    assert installed.settings.read_text() == settings
    assert b'"name":"Mine"' in installed.ask("/api/v1/apps/stashio").body
    kept = sorted(path.name for path in backups.iterdir() if path.name not in own)
    assert {path.name for path in backups.iterdir()} >= {*own}
    assert (len(kept), kept[:9]) == (10, older[3:])
    assert installed.is_well()


def test_the_timer_publishes_what_editors_change(installed: Debian) -> None:
    edit = "from catalogue.models import App; App.objects.filter(slug='estua').update(name='Yours')"
    installed.manage("shell", "--command", edit)
    ended = installed.published()

    assert ended.returncode == 0, ended.stderr
    assert b'"name":"Yours"' in installed.ask("/api/v1/apps/estua").body


def test_another_host_is_installed_from_a_backup(
    installed: Debian, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = installed.folder / "moved"
    assert installed.manage("backup", str(file)).returncode == 0
    other = Debian(tmp_path_factory.mktemp("other"), {"CONTENT": str(file)})
    try:
        ended = other.install()

        assert ended.returncode == 0, ended.stderr
        assert "An administrator exists" in ended.stdout
        assert other.ask("/api/v1/apps/estua").status == 200
        mine, theirs = (bodies(each.data / "site/current/public") for each in (installed, other))
        assert theirs == mine
    finally:
        other.switch_off()


def bodies(public: Path) -> set[str]:
    """Names of files: moments differ where the release before is not there."""
    return set(tree(public))


@pytest.fixture
def units(installed: Debian) -> list[str]:
    return [str(path) for path in sorted((installed.folder / "units").iterdir())]


def test_systemd_takes_the_units(units: list[str]) -> None:
    analyze = needs.needs_command("systemd-analyze", "systemd")
    verified = subprocess.run(
        [analyze, "verify", *units], capture_output=True, text=True, check=False
    )

    assert len(units) == 3
    assert (verified.returncode, verified.stdout + verified.stderr) == (0, "")


def test_the_origin_is_confined_to_what_it_needs(installed: Debian) -> None:
    """The exposure that systemd computes from 0 (none) to 10; a unit without options has 9.6."""
    analyze = needs.needs_command("systemd-analyze", "systemd")
    judged = subprocess.run(
        [analyze, "security", "--offline=yes", "--threshold=25", str(installed.unit)],
        capture_output=True,
        text=True,
        check=False,
    )

    assert judged.returncode == 0, judged.stdout
    assert f"ReadWritePaths={installed.data}/database\n" in installed.unit.read_text()


def test_the_documented_restore_brings_content_back(installed: Debian) -> None:
    backup, *rest = [line for line in OPERATE if line.startswith("bin/manage")]
    assert [line.split()[1] for line in (backup, *rest)] == ["backup", "restore"]
    before = installed.ask("/api/v1/apps/wheria").body
    edit = (
        "from catalogue.models import App; App.objects.filter(slug='wheria').update(name='Theirs')"
    )

    done = [installed.documented(backup)]
    done.append(installed.manage("shell", "--command", edit))
    done.append(installed.published())
    edited = installed.ask("/api/v1/apps/wheria").body
    done += [installed.documented(line) for line in rest]
    done.append(installed.published())

    assert [each.returncode for each in done] == [0] * 5, [each.stderr for each in done]
    assert b'"name":"Theirs"' in edited
    assert without_moment(installed.ask("/api/v1/apps/wheria").body) == without_moment(before)


def without_moment(body: bytes) -> bytes:
    return re.sub(rb'"generatedAt":"[^"]+"', b"", body)


@pytest.mark.parametrize("name", ["README.md", "docs/deploy.md", "docs/operate.md"])
def test_documented_commands_exist(name: str) -> None:
    found = re.findall(r"(?:bin/manage|manage\.py) ([a-z_]+)", (PROJECT / name).read_text())

    assert found != []
    assert set(found) <= get_commands().keys()


def test_a_foreign_origin_or_a_missing_certificate_is_usage(tmp_path: Path) -> None:
    environment = {"PATH": os.environ["PATH"], "ENVIRONMENT_FILE": str(tmp_path / "none")}
    for told, said in (
        ({}, "SITE_ROOT is not set"),
        ({"SITE_ROOT": "http://studio.example"}, "does not begin with https://"),
        ({"SITE_ROOT": ROOT}, "fullchain.pem cannot be read"),
    ):
        ended = subprocess.run(
            [str(SCRIPT)], env=environment | told, capture_output=True, text=True, check=False
        )

        assert (ended.returncode, said in ended.stderr) == (2, True), ended.stderr
        assert "# SITE_ROOT" not in ended.stderr
        assert "SITE_ROOT         origin of the site" in ended.stderr


def test_a_step_that_fails_is_named(tmp_path: Path) -> None:
    host = Debian(tmp_path, {"INSTALL": "false"})
    ended = host.install()

    assert ended.returncode == 1
    assert ended.stderr.endswith("Failed: packages.\n")
