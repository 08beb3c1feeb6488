"""The documented installation on an empty host, and a second run of the same command."""

import json
import os
import re
import stat
import subprocess
import sys
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest

from site_mirror.hosts import release
from tests import requirements
from tests.freeze.processes import PROJECT
from tests.freeze.target_files import read_tree
from tests.hosts import debian_host, unit_supervisor
from tests.hosts.debian_host import HOST, ROOT, DebianHost

pytestmark = [
    pytest.mark.server,
    pytest.mark.exhaustive("installs a Debian host with nginx and systemd units"),
]

DEPLOY_SECTION = debian_host.read_section("A Debian host with nginx")
FIRST_INSTALLATION = DEPLOY_SECTION.partition("### ")[0]
SCRIPT = PROJECT / "docs/deploy/install.sh"
BACKUP_COMMANDS = debian_host.shell_commands(
    debian_host.read_section("Backup and restore", (PROJECT / "docs/operate.md").read_text())
)


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DebianHost]:
    host = DebianHost(tmp_path_factory.mktemp("debian"))
    (host.folder / "password").write_text("a needle beside a lift shaft\n")
    host.changes["PASSWORD_FILE"] = str(host.folder / "password")
    try:
        yield host
    finally:
        host.stop()


@pytest.fixture(scope="module")
def installation(host: DebianHost) -> subprocess.CompletedProcess[str]:
    return host.run_documented(FIRST_INSTALLATION)


@pytest.fixture
def installed_host(host: DebianHost, installation: subprocess.CompletedProcess[str]) -> DebianHost:
    assert installation.returncode == 0, installation.stderr
    return host


def test_the_documented_commands_install_an_empty_host(
    installed_host: DebianHost, installation: subprocess.CompletedProcess[str]
) -> None:
    report = json.loads(installation.stdout.splitlines()[-1])

    assert (report["outcome"], report["before"]) == ("deployed", "")
    assert report["release"] == (installed_host.data / "site/current").resolve().name


def test_the_site_and_the_admin_are_served_under_one_name(installed_host: DebianHost) -> None:
    snapshot = release.read_release(installed_host.data / "site/current")
    home, login = installed_host.ask("/"), installed_host.ask("/admin/login/")
    style = re.search(rb'href="(/static/[^"]+\.css)"', login.body)

    assert home.headers["etag"] == snapshot.by_address["/"].headers["ETag"]
    assert (login.status, b"csrfmiddlewaretoken" in login.body) == (200, True)
    assert style
    assert installed_host.ask(style.group(1).decode()).status == 200
    assert installed_host.ask("/admin").headers["location"] == "/admin/"
    assert installed_host.ask("/", Host="elsewhere.example").status == 400
    assert installed_host.ask("/admin/", Host="elsewhere.example").status == 400
    assert installed_host.ask("/api/v1/health", Host="127.0.0.1").status == 200

    # HTTP redirects, except for the challenges of a certificate authority.
    challenge = installed_host.folder / "webroot/.well-known/acme-challenge"
    challenge.mkdir(parents=True)
    (challenge / "token").write_text("proof")
    moved = installed_host.ask_over_http("/blog?x=1")
    assert (moved.status, moved.headers["location"]) == (308, f"{ROOT}/blog?x=1")
    for name in (HOST, "127.0.0.1", "[::1]:80", "balancer.internal"):
        health = installed_host.ask_over_http("/api/v1/health", Host=name)
        secure = installed_host.ask("/api/v1/health", Host=name)
        assert (health.status, health.body) == (secure.status, secure.body), name
        assert health.headers == secure.headers
    assert installed_host.ask_over_http("/.well-known/acme-challenge/token").body == b"proof"


def send_form(host: DebianHost, page: str, *fields: str) -> str:
    """Open a page of the admin through nginx, post its form, and return the status.

    Cookies are kept in the folder of the host.
    """
    jar = str(host.folder / "cookies")
    curl = ["curl", "--silent", "--cacert", str(host.certificate.chain)]
    curl += ["--connect-to", f"{HOST}:443:127.0.0.1:{host.https_port}"]
    curl += ["--cookie-jar", jar, "--cookie", jar]
    form = subprocess.run([*curl, ROOT + page], capture_output=True, text=True, check=True)
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', form.stdout)
    assert token, form.stdout
    values = [f"csrfmiddlewaretoken={token.group(1)}", *fields]
    data = [word for value in values for word in ("--data-urlencode", value)]
    options = ["--header", f"Origin: {ROOT}", "--referer", ROOT + page]
    options += ["--write-out", "%{http_code}", "--output", os.devnull]
    answer = subprocess.run(
        [*curl, *data, *options, ROOT + page], capture_output=True, text=True, check=True
    )
    return answer.stdout


def log_in(host: DebianHost) -> str:
    (host.folder / "cookies").unlink(missing_ok=True)
    values = ("username=administrator", "password=a needle beside a lift shaft")
    return send_form(host, "/admin/login/", *values, "next=/admin/")


def test_the_administrator_logs_in_through_nginx(installed_host: DebianHost) -> None:
    assert log_in(installed_host) == "302"
    assert "sessionid" in (installed_host.folder / "cookies").read_text()


def test_who_asks_at_the_desk_publishes_by_the_request_file(installed_host: DebianHost) -> None:
    path = dict(
        unit_supervisor.read_directives(installed_host.folder / "units/studio-publish.path")
    )
    request = Path(path["PathExists"])
    edit = "from catalogue.models import App; App.objects.filter(slug='estua').update(name='Asked')"
    installed_host.manage("shell", "--command", edit)
    assert not request.exists()
    assert log_in(installed_host) == "302"
    assert send_form(installed_host, "/admin/publish/") == "302"

    assert request.read_bytes() == b""
    published = installed_host.run_publishing_unit()
    assert published.returncode == 0, published.stderr
    assert not request.exists()
    assert b'"name":"Asked"' in installed_host.ask("/api/v1/apps/estua").body
    assert json.loads(published.stdout)["outcome"] == "deployed"
    desk = publishing_state(installed_host)
    assert (desk["phase"], desk["verified"]) == ("public", True)


def publishing_state(host: DebianHost) -> dict[str, Any]:
    """Return what the desk says of the public site."""
    program = (
        "import json; from site_mirror.desk.publishing import Publication; "
        "found = Publication(); print(json.dumps({'phase': found.phase, "
        "'verified': found.is_verified, 'has timer': found.is_timer_alive}))"
    )
    variables = unit_supervisor.read_environment(host.unit)
    told = subprocess.run(
        [sys.executable, "manage.py", "shell", "--command", program],
        cwd=host.program,
        env=variables,
        capture_output=True,
        text=True,
        check=True,
    )
    return dict(json.loads(told.stdout.splitlines()[-1]))


def test_only_the_account_can_read_secrets_and_the_database(installed_host: DebianHost) -> None:
    data, settings = installed_host.data, installed_host.settings
    modes = [
        stat.S_IMODE(path.stat().st_mode)
        for path in (settings, data / "database", data / "backups")
    ]

    assert modes == [0o600, 0o700, 0o700]
    assert re.match(r"SECRET_KEY=[0-9a-f]{64}\n", settings.read_text())


def test_without_the_origin_the_admin_is_a_500_and_no_client_is_logged(
    installed_host: DebianHost,
) -> None:
    down = installed_host.ask_without_origin("/admin/")
    installed_host.run("sh", "-c", installed_host.environment["START"])
    access_log = installed_host.folder / "access.log"

    assert down.status == HTTPStatus.INTERNAL_SERVER_ERROR
    assert "client: " not in (installed_host.folder / "nginx.log").read_text()
    assert not access_log.exists() or access_log.read_text() == ""
    assert installed_host.origin_answers()


def test_a_second_installation_keeps_settings_content_and_other_files(
    installed_host: DebianHost,
) -> None:
    edit = (
        "from catalogue.models import App; App.objects.filter(slug='stashio').update(name='Mine')"
    )
    installed_host.manage("shell", "--command", edit)
    (installed_host.folder / "password").write_text("another needle in a haystack\n")
    settings = installed_host.settings.read_text()
    backups = installed_host.data / "backups"
    older_backups = [f"202601{day:02}T000000Z" for day in range(1, 13)]
    own_files = ["today", "Monday", "20250101", *(f"mine-{number}" for number in range(9))]
    for name in (*older_backups, *own_files):
        (backups / name).touch()
    installed_host.changes["START"] = "false"
    failed = installed_host.install()
    installed_host.changes.pop("START")
    assert failed.stderr.endswith("Failed: start.\n")
    assert {*older_backups} <= {path.name for path in backups.iterdir()}
    for path in backups.glob("*T*Z"):
        if path.name not in older_backups:
            path.unlink()
    process = installed_host.install()

    assert process.returncode == 0, process.stderr
    assert json.loads(process.stdout.splitlines()[-1])["outcome"] == "deployed"
    assert "An administrator exists" in process.stdout
    assert installed_host.settings.read_text() == settings
    assert b'"name":"Mine"' in installed_host.ask("/api/v1/apps/stashio").body
    remaining = sorted(path.name for path in backups.iterdir() if path.name not in own_files)
    assert {path.name for path in backups.iterdir()} >= {*own_files}
    assert (len(remaining), remaining[:9]) == (10, older_backups[3:])
    assert installed_host.origin_answers()


def test_another_host_is_installed_from_a_backup(
    installed_host: DebianHost, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = installed_host.folder / "moved"
    assert installed_host.manage("backup", str(file)).returncode == 0
    other = DebianHost(tmp_path_factory.mktemp("other"), {"CONTENT": str(file)})
    try:
        process = other.install()

        assert process.returncode == 0, process.stderr
        assert "An administrator exists" in process.stdout
        assert other.ask("/api/v1/apps/estua").status == 200
        # Only names of files, because the moments of a first release are others.
        own_names, other_names = (
            set(read_tree(host.data / "site/current/public")) for host in (installed_host, other)
        )
        assert other_names == own_names
    finally:
        other.stop()


def test_systemd_accepts_the_units_and_confines_the_origin(installed_host: DebianHost) -> None:
    """The exposure is a number from 0 (none) to 10 from systemd; a unit without options has 9.6."""
    analyze = requirements.needs_program("systemd-analyze", "systemd")
    units = sorted(map(str, (installed_host.folder / "units").iterdir()))
    confined = ["security", "--offline=yes", "--threshold=25", str(installed_host.unit)]
    accepted, exposed = (
        subprocess.run([analyze, *words], capture_output=True, text=True, check=False)
        for words in (["verify", *units], confined)
    )

    assert len(units) == 5
    assert (accepted.returncode, accepted.stdout + accepted.stderr) == (0, "")
    assert exposed.returncode == 0, exposed.stdout
    text = installed_host.unit.read_text()
    assert f"ReadWritePaths={installed_host.data}/database\n" in text
    assert "\nRestart=always\nRestartSec=1\n" in text


def test_the_timer_asks_and_the_desk_knows_that_it_lives(installed_host: DebianHost) -> None:
    timer = dict(
        unit_supervisor.read_directives(installed_host.folder / "units/studio-publish.timer")
    )
    assert publishing_state(installed_host)["has timer"] is False
    assert installed_host.run_unit(timer["Unit"]).returncode == 0

    state = publishing_state(installed_host)
    assert (state["phase"], state["has timer"]) == ("waiting", True)
    assert installed_host.run_publishing_unit().returncode == 0
    assert publishing_state(installed_host)["phase"] == "public"


def test_the_unit_that_publishes_publishes_edits_and_the_documented_restore(
    installed_host: DebianHost,
) -> None:
    backup, *restore = [line for line in BACKUP_COMMANDS if line.startswith("bin/manage")]
    assert [line.split()[1] for line in (backup, *restore)] == ["backup", "restore"]
    before = installed_host.ask("/api/v1/apps/wheria").body
    edit = (
        "from catalogue.models import App; App.objects.filter(slug='wheria').update(name='Theirs')"
    )

    processes = [installed_host.run_documented_command(backup)]
    processes.append(installed_host.manage("shell", "--command", edit))
    processes.append(installed_host.run_publishing_unit())
    edited = installed_host.ask("/api/v1/apps/wheria").body
    processes += [installed_host.run_documented_command(line) for line in restore]
    processes.append(installed_host.run_publishing_unit())

    assert [process.returncode for process in processes] == [0] * 5, [
        process.stderr for process in processes
    ]
    assert b'"name":"Theirs"' in edited
    assert remove_moment(installed_host.ask("/api/v1/apps/wheria").body) == remove_moment(before)


def remove_moment(body: bytes) -> bytes:
    return re.sub(rb'"generatedAt":"[^"]+"', b"", body)


def test_a_wrong_site_root_or_a_missing_certificate_is_a_usage_error(tmp_path: Path) -> None:
    environment = {"PATH": os.environ["PATH"], "ENVIRONMENT_FILE": str(tmp_path / "none")}
    for variables, message in (
        ({}, "SITE_ROOT is not set"),
        ({"SITE_ROOT": "http://studio.example"}, "does not begin with https://"),
        ({"SITE_ROOT": ROOT}, "fullchain.pem cannot be read"),
    ):
        process = subprocess.run(
            [str(SCRIPT)], env=environment | variables, capture_output=True, text=True, check=False
        )

        assert (process.returncode, message in process.stderr) == (2, True), process.stderr
        assert "# SITE_ROOT" not in process.stderr
        assert "SITE_ROOT         origin of the site" in process.stderr


def test_the_installation_names_a_failed_step(tmp_path: Path) -> None:
    host = DebianHost(tmp_path, {"INSTALL": "false"})
    process = host.install()

    assert process.returncode == 1
    assert process.stderr.endswith("Failed: packages.\n")
