"""A missing or wrong setting ends every process with a sentence and exit code 2."""

import os
import re
import runpy
import sqlite3
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.test import Client
from pytest_django import Settings

ROOT = Path(__file__).resolve().parent.parent
SETTINGS = ROOT / "site_mirror/settings/__init__.py"
VARIABLES = {*re.findall(r'env\.\w+\(\s*"(\w+)"', SETTINGS.read_text())}
GOOD = {"SECRET_KEY": "a key for this test alone " * 3, "SITE_ROOT": "https://studio.example"}


def run_python(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if name not in VARIABLES}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=kept | variables,
        capture_output=True,
        text=True,
        check=False,
    )


def run_manage(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return run_python("manage.py", *arguments, **variables)


def read_settings(monkeypatch: pytest.MonkeyPatch, **variables: str) -> SimpleNamespace:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    for name, value in (GOOD | variables).items():
        monkeypatch.setenv(name, value)
    return SimpleNamespace(**runpy.run_path(str(SETTINGS)))


WRONG = {
    "DEBUG": ["yes", "True"],
    "SITE_ROOT": [
        *("studio.example", "ftp://studio.example", "https://", "https://:@h"),
        *("https://studio.example/base", "https://user@studio.example", "https://Studio.Example"),
        *("https://studio.example:port", "https://studio.example:99999", "http://[::1"),
        *("https://a b.example", 'https://studio.example"><x', "https://đà.example"),
    ],
    "ALLOWED_HOSTS": [
        *("elsewhere.example", "https://studio.example", "studio.example:443"),
        "studio.example other.example",
    ],
    "DATABASE_URL": [
        *("catalogue.sqlite3", "mysql://u:secret@h/db", "postgres://h:bad/x"),
        *("postgres://u:secret@h", "sqlite://", "sqlite:///:memory:"),
        *("sqlite://data/catalogue.sqlite3", "sqlite:///catalogue.sqlite3?timeout=5"),
    ],
    "CACHE_URL": [
        *("memcached://h", "redis://h:bad/0", "redis://u:secret", "redis:///0", "u:secret"),
        *("redis://h/0?password=secret", "redis://[::1/0"),
    ],
    "TIME_ZONE": ["Hanoi"],
    "RATE_LIMIT": ["off"],
    "BEHIND_PROXY": ["2"],
    "SECRET_KEY": ["secret", "secret-but-one-letter-too-short", "abcd" * 20],
    "HSTS_SECONDS": ["-1", "a year"],
    "RESPONSE_CACHE_MB": ["-1", "128 MB"],
    "HSTS_SUBDOMAINS": ["no"],
    "EMAIL_URL": [
        *("mail.example", "http://mail.example", "smtp://u:secret@", "smtp://u:secret@h:port"),
        *("smtp://h?timeout=5", "smtp://h/folder", "consolemail://h", "filemail://"),
    ],
    "EMAIL_FROM": ["studio", "a@b.example\r\nBcc: c@d.example"],
    "LOG_FORMAT": ["xml"],
    "ACCESS_LOG": ["yes"],
    "REQUIRE_SECOND_STEP": ["yes"],
    "SNAPSHOT": ["var/snapshot"],
    "PUBLISH_REQUEST": ["request"],
    "DEPLOY_COMMAND": [],  # Each command of a shell is allowed.
}
"""Values of each variable that are not allowed."""


def test_every_variable_is_in_the_table_of_wrong_values() -> None:
    assert WRONG.keys() == VARIABLES


@pytest.mark.parametrize(
    ("variable", "value"), [(name, value) for name, values in WRONG.items() for value in values]
)
def test_a_wrong_setting_is_refused_in_one_sentence(
    variable: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ImproperlyConfigured) as refused:
        read_settings(monkeypatch, **{variable: value})

    assert re.fullmatch(
        rf"{variable}='[^\n]+' is not allowed; set {variable} to [^\n]+\.", str(refused.value)
    )
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    "variables",
    [
        {},
        dict.fromkeys(WRONG.keys() - GOOD.keys(), ""),
        {"ALLOWED_HOSTS": ".example"},
        {"ALLOWED_HOSTS": "Studio.Example, [::1], 127.0.0.1"},
        {"ALLOWED_HOSTS": "*"},
        {"SITE_ROOT": "http://[::1]:8000", "ALLOWED_HOSTS": "[::1]"},
        {"SECRET_KEY": "abcde" * 7},
        {"SECRET_KEY": "short", "DEBUG": "1"},
        {"HSTS_SECONDS": "0", "HSTS_SUBDOMAINS": "0", "RESPONSE_CACHE_MB": "0"},
        {"EMAIL_URL": "smtp+tls://user:word@mail.example:587", "EMAIL_FROM": "studio@d.example"},
        {"EMAIL_URL": "filemail:////tmp/mail"},
        {"EMAIL_URL": "consolemail://"},
        {"DATABASE_URL": "postgres://u:p%40%C4%91@h1,h2/n?port=5432,5433&sslmode=require"},
        {"DATABASE_URL": "postgres:///n?host=/var/run/postgresql"},
        {"DATABASE_URL": "postgres://u@[::1]/n"},
        {"DATABASE_URL": "sqlite:////srv/c%C3%A1c%20b%E1%BA%A3n/catalogue.sqlite3"},
        {"CACHE_URL": "redis://:p%40%2Fword@shared_cache:6379/1"},
        {"CACHE_URL": "rediss://[::1]"},
    ],
)
def test_an_allowed_setting_is_read(
    variables: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    read_settings(monkeypatch, **variables)


def test_nothing_waits_for_a_database_or_a_cache_that_does_not_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    addresses = {"DATABASE_URL": "postgres://u@h/n", "CACHE_URL": "redis://h/0"}
    found = read_settings(monkeypatch, **addresses)

    assert found.DATABASES["default"]["OPTIONS"]["connect_timeout"] == 5
    options = found.CACHES["default"]["OPTIONS"]
    assert options == {"socket_connect_timeout": 1, "socket_timeout": 1}


def test_an_origin_by_its_ipv6_address_answers_to_it(
    db: None, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    found = read_settings(monkeypatch, SITE_ROOT="http://[::1]:8000")
    settings.SITE_ROOT, settings.ALLOWED_HOSTS = found.SITE_ROOT, found.ALLOWED_HOSTS

    assert Client(headers={"host": "[::1]:8000"}).get("/robots.txt").status_code == 200


def test_debug_is_the_only_setting_needed_for_development() -> None:
    assert run_manage("check", DEBUG="1").returncode == 0


@pytest.mark.parametrize("command", ["check", "freeze", "help"])
def test_a_wrong_setting_ends_any_command_before_it_does_anything(
    command: str, tmp_path: Path
) -> None:
    words = [command, str(tmp_path / "site")] if command == "freeze" else [command]
    database = f"sqlite:///{tmp_path}/catalogue.sqlite3"

    result = run_manage(*words, **GOOD | {"TIME_ZONE": "Hanoi", "DATABASE_URL": database})

    assert (result.returncode, result.stdout) == (2, "")
    assert re.fullmatch(r"TIME_ZONE='Hanoi' is not allowed; [^\n]+\.\n", result.stderr)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("missing", GOOD)
@pytest.mark.parametrize("process", [("manage.py", "check"), ("-c", "import site_mirror.wsgi")])
def test_a_missing_setting_ends_a_command_and_the_origin(
    missing: str, process: tuple[str, str]
) -> None:
    result = run_python(*process, **GOOD | {missing: ""})
    sentence = rf"{missing} is not set\. Set it, for example {missing}=[^\n]+\n"

    assert (result.returncode, result.stdout) == (2, "")
    assert re.fullmatch(sentence, result.stderr)


UNREADABLE = "CommandError: The content cannot be read: "
GONE = "The database of DATABASE_URL cannot be reached: "
EMPTY = r"The database of DATABASE_URL lacks migrations \(\d+\); run “manage.py migrate” "
UNUSABLE = [
    ("load_content", "sqlite:////nowhere/at/all.sqlite3", GONE),
    ("migrate", "postgres://u:secret@127.0.0.1:1/none?foo=bar", GONE),
    ("freeze", "postgres://u:secret@127.0.0.1:1/n", UNREADABLE),
    ("freeze", "sqlite:///EMPTY", rf"\d+ triggers [^\n]+\n{UNREADABLE}no such table: "),
    ("load_content", "sqlite:///EMPTY", EMPTY),
]


@pytest.mark.parametrize(("command", "address", "opening"), UNUSABLE)
def test_an_unusable_database_is_reported_in_one_sentence(
    command: str, address: str, opening: str, tmp_path: Path
) -> None:
    words = [command, str(tmp_path / "site")] if command == "freeze" else [command]
    database = address.replace("EMPTY", f"{tmp_path}/empty.sqlite3")

    result = run_manage(*words, **GOOD | {"DATABASE_URL": database})

    assert result.returncode == 1
    assert re.fullmatch(rf"{opening}[^\n]+\n", result.stderr)
    assert "secret" not in result.stderr
    if opening == EMPTY:
        traced = run_manage(*words, "--traceback", **GOOD | {"DATABASE_URL": database})
        assert "Traceback" in traced.stderr


def test_a_failed_migrate_reports_its_own_error(tmp_path: Path) -> None:
    database = tmp_path / "with_a_table.sqlite3"
    with sqlite3.connect(database) as connection:
        connection.execute("CREATE TABLE django_session (own)")
    result = run_manage("migrate", **GOOD | {"DATABASE_URL": f"sqlite:///{database}"})

    assert result.returncode == 1
    assert 'table "django_session" already exists' in result.stderr
    assert "run “manage.py migrate”" not in result.stderr


def test_models_and_migrations_agree(db: None, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("makemigrations", "--check", "--dry-run")

    assert capsys.readouterr().out == "No changes detected\n"
