"""A missing or wrong setting ends every process with a sentence and exit code 2."""

import os
import re
import runpy
import sqlite3
import subprocess
import sys
from collections.abc import Iterable
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from pytest_django import Settings

from site_mirror.faults import IDS, setting_faults
from site_mirror.service_urls import without_secrets

ROOT = Path(__file__).resolve().parent.parent
GOOD = {"SECRET_KEY": "a key for this test alone " * 3, "SITE_ROOT": "https://studio.example"}
CLEARED = {*GOOD, *IDS}
"""Variables of this process that a test must not inherit."""
A_PROCESS_EACH = pytest.mark.exhaustive("starts a process for each case")


def mark_others(cases: Iterable[Any], *kept: Any) -> list[Any]:
    """Mark all cases as exhaustive but those that are kept."""
    return [pytest.param(case, marks=() if case in kept else A_PROCESS_EACH) for case in cases]


def run_manage(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if name not in CLEARED}
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=kept | variables,
        capture_output=True,
        text=True,
        check=False,
    )


def test_debug_is_the_only_setting_needed_for_development() -> None:
    assert run_manage("check", DEBUG="1").returncode == 0


@pytest.mark.exhaustive("collects all static files, and checks them in another process")
def test_good_settings_pass_the_checks_for_deployment() -> None:
    run_manage("collectstatic", "--no-input", **GOOD)
    result = run_manage("check", "--deploy", "--fail-level", "WARNING", **GOOD)

    assert (result.returncode, result.stderr) == (0, "")


NO_HOSTS = [
    *("h..x", "-h-", "h x", "a" * 64, "256.1.1.1", "10.0.0.300", "127.1", "0x7f.0.0.1"),
    *("xn--a.example", "[v1.x]"),
]
"""Values of ALLOWED_HOSTS that are not host names."""

WRONG = [
    ("DEBUG", "yes"),
    ("DEBUG", "True"),
    ("SITE_ROOT", "studio.example"),
    ("SITE_ROOT", "https://studio.example/base"),
    ("SITE_ROOT", "ftp://studio.example"),
    ("SITE_ROOT", "https://user@studio.example"),
    ("SITE_ROOT", "https://Studio.Example"),
    ("SITE_ROOT", "https://studio.example:port"),
    ("SITE_ROOT", "https://a b.example"),
    ("SITE_ROOT", 'https://studio.example"><x'),
    ("SITE_ROOT", "https://đà.example"),
    ("SITE_ROOT", "https://:@h"),
    ("SITE_ROOT", "http://[::1"),
    ("SITE_ROOT", "http://[::1]]:8000"),
    ("SITE_ROOT", "http://[::::]"),
    ("SITE_ROOT", "https://studio.example:99999"),
    ("DATABASE_URL", "mysql://u:secret@h/db"),
    ("DATABASE_URL", "catalogue.sqlite3"),
    ("DATABASE_URL", "postgres://h:bad/x"),
    ("DATABASE_URL", "postgres://u:secret@h"),
    ("DATABASE_URL", "sqlite://"),
    ("DATABASE_URL", "sqlite:///catalogue.sqlite3?timeout=5"),
    *(("DATABASE_URL", f"postgres://u:secret@{host}/n") for host in NO_HOSTS),
    *(("DATABASE_URL", f"postgres://u:secret@/n?host={host}") for host in NO_HOSTS),
    *(("DATABASE_URL", f"postgres://u:secret@h,{host}/n") for host in NO_HOSTS),
    *(("CACHE_URL", f"redis://u:secret@{host}/0") for host in NO_HOSTS),
    *(("EMAIL_URL", f"smtp://u:secret@{host}") for host in NO_HOSTS),
    *(("SITE_ROOT", f"https://{host}") for host in NO_HOSTS),
    ("DATABASE_URL", "postgres://u:secret@h/n?foo=bar"),
    ("DATABASE_URL", "postgres://u:secret@h/n?sslmode=banana"),
    ("DATABASE_URL", "postgres://u:secret@h/n?connect_timeout=soon"),
    ("DATABASE_URL", "postgres://u:secret@h/n?conn_max_age=5"),
    ("DATABASE_URL", "postgres://u:secret@h/n?sslmode="),
    ("DATABASE_URL", f"postgres://u:secret@h/{'đ' * 32}"),
    ("DATABASE_URL", "postgres://u:secret@h/n?port=banana"),
    ("DATABASE_URL", "postgres://u:secret@h/n?port=0"),
    ("DATABASE_URL", "postgres://u:secret@h/n?port=5432,65536"),
    ("DATABASE_URL", "postgres://u:secret@h/n?port=5432,5433"),
    ("DATABASE_URL", "postgres://u:secret@h/n?hostaddr=h.example"),
    ("DATABASE_URL", "postgres://u:secret@h1,h2/n?hostaddr=10.0.0.1"),
    ("DATABASE_URL", "postgres://u@h/n?password=secret&sslmode=banana"),
    ("DATABASE_URL", "postgres://u@h/n?password=a@secret&sslmode=banana"),
    ("DATABASE_URL", "sqlite:///:memory:"),
    ("DATABASE_URL", "sqlite://u:secret@h/catalogue.sqlite3"),
    ("DATABASE_URL", "sqlite://data/catalogue.sqlite3"),
    ("DATABASE_URL", "postgres://u:secret@h/n?conninfo=x"),
    *(
        ("DATABASE_URL", f"{address}{character}")
        for address in ("sqlite:///catalogue.sqlite3", "postgres://h/n", "postgres://h/n?user=u")
        for character in ("%00", "%0a", "%7F", "\n", "\x7f", "\udcff")
    ),
    ("CACHE_URL", "memcached://h"),
    ("CACHE_URL", "redis://h:bad/0"),
    ("CACHE_URL", "redis://h/first"),
    ("CACHE_URL", "redis://h/999999"),
    ("CACHE_URL", "redis://h/0#x"),
    ("DATABASE_URL", "postgres://u:secret@h/n#x"),
    ("DATABASE_URL", "sqlite:///catalogue.sqlite3#x"),
    ("EMAIL_URL", "smtp://h#x"),
    ("EMAIL_URL", "filemail:////etc/passwd"),
    ("EMAIL_URL", "filemail:////etc/passwd/mail"),
    ("EMAIL_URL", f"filemail:////tmp/{'a' * 300}"),
    ("CACHE_URL", "redis://h/0?timeout=5"),
    ("CACHE_URL", "redis://h/0?password=secret"),
    ("CACHE_URL", "redis://u:sec/secret"),
    ("CACHE_URL", "redis://u:secret"),
    ("CACHE_URL", "u:secret"),
    ("CACHE_URL", "redis:///0"),
    ("CACHE_URL", "redis://h..example/0"),
    ("CACHE_URL", "redis://-h/0"),
    ("CACHE_URL", "redis://h h/0"),
    ("CACHE_URL", f"redis://{'a' * 64}/0"),
    ("CACHE_URL", "redis://u:secret%00@h/0"),
    ("CACHE_URL", "redis://h\udcff/0"),
    ("CACHE_URL", "redis://[::1/0"),
    ("TIME_ZONE", "Hanoi"),
    ("RATE_LIMIT", "off"),
    ("BEHIND_PROXY", "2"),
    ("ALLOWED_HOSTS", "elsewhere.example"),
    ("SNAPSHOT_SIGNING_KEY", "secret"),
    ("SNAPSHOT_SIGNING_KEY", f"MC4CAQAwBQYDK2VwBCIEIsecret{'A' * 36}"),
    ("SITE_ROOT", "https://"),
    ("SITE_ROOT", "https://studio..example"),
    ("SITE_ROOT", "https://u:secret@studio.example"),
    ("ALLOWED_HOSTS", "https://u:secret@studio.example"),
    ("SITE_ROOT", f"https://{'a' * 64}.example"),
    ("SITE_ROOT", f"https://{'a.' * 130}example"),
    *(("ALLOWED_HOSTS", f"studio.example,{host}") for host in NO_HOSTS),
    ("ALLOWED_HOSTS", "studio.example,[:]"),
    ("ALLOWED_HOSTS", "https://studio.example"),
    ("ALLOWED_HOSTS", "studio.example:443"),
    ("ALLOWED_HOSTS", "studio.example other.example"),
    ("SECRET_KEY", "secret"),
    ("SECRET_KEY", "secret-but-one-letter-too-short"),
    ("SECRET_KEY", "abcd" * 20),
    ("SECRET_KEY", "long enough and varied, but not UTF-8: \udcff"),
    ("HSTS_SECONDS", "-1"),
    ("HSTS_SECONDS", "a year"),
    ("HSTS_SECONDS", ""),
    ("HSTS_SUBDOMAINS", "no"),
    ("EMAIL_URL", "mail.example"),
    ("EMAIL_URL", "http://mail.example"),
    ("EMAIL_URL", "smtp://u:secret@"),
    ("EMAIL_URL", "smtp://u:secret@h:port"),
    ("EMAIL_URL", "smtp://u:secret@h?timeout=5"),
    ("EMAIL_URL", "smtp://u:secret@h h"),
    ("EMAIL_URL", f"smtp://u:secret@{'a' * 64}.example"),
    ("EMAIL_URL", "smtp://u:secret@h/folder"),
    ("EMAIL_URL", "smtp://u:secret%0d@h"),
    ("EMAIL_URL", "consolemail://?timeout=5"),
    ("EMAIL_URL", "consolemail://h"),
    ("EMAIL_URL", "filemail://"),
    ("EMAIL_URL", "filemail:///"),
    ("LOG_FORMAT", "xml"),
    ("LOG_FORMAT", ""),
    ("ACCESS_LOG", "yes"),
    ("EMAIL_FROM", "studio"),
    ("EMAIL_FROM", "a@b.example\r\nBcc: c@d.example"),
]
"""Invalid values of each variable."""


def read_settings(monkeypatch: pytest.MonkeyPatch, **variables: str) -> SimpleNamespace:
    """Return the settings with some variables."""
    for name in CLEARED:
        monkeypatch.delenv(name, raising=False)
    for name, value in (GOOD | variables).items():
        monkeypatch.setenv(name, value)
    return SimpleNamespace(**runpy.run_path(str(ROOT / "site_mirror/settings.py")))


def find_faults(monkeypatch: pytest.MonkeyPatch, **variables: str) -> list[str]:
    """Return the faults of the settings with some variables."""
    values = read_settings(monkeypatch, **variables)
    return [str(fault) for fault in setting_faults(values)]  # type: ignore[arg-type]


def test_every_variable_with_rules_is_in_the_table_of_wrong_values() -> None:
    text = (ROOT / "site_mirror/settings.py").read_text()
    read = set(re.findall(r'ENVIRONMENT\.\w+\(\s*"(\w+)"', text))

    assert read == set(IDS) == {variable for variable, _ in WRONG}


def test_every_id_of_a_setting_is_unique_and_documented() -> None:
    documented = (ROOT / "docs/settings.md").read_text()
    rows = {variable: f"| `{variable}` |" for variable in IDS}

    assert len(set(IDS.values())) == len(IDS)
    assert [variable for variable, row in rows.items() if row not in documented] == []
    assert [each for each in IDS.values() if f"`{each}` |" not in documented] == []


@pytest.mark.parametrize(("variable", "value"), WRONG)
def test_a_wrong_setting_is_reported_in_one_sentence_with_an_id_and_a_remedy(
    variable: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = find_faults(monkeypatch, **{variable: value})

    assert len(found) == 1
    assert re.fullmatch(rf"{IDS[variable]}: [^\n]*{variable}[^\n]*; (set|add) [^\n]+\.", found[0])
    assert "secret" not in found[0]


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("postgres://u:secret@h:bad/n", "postgres://h:bad/n"),
        ("postgres://u@h/n?password=secret&port=0", "postgres://h/n?password=…&port=…"),
        ("postgres://u@h/n?password=a@secret", "postgres://…"),
        ("postgres://u:x@secret#1@h/n", "postgres://…"),
        ("redis://u:sec?x=a@secret", "redis://…"),
        ("redis://u:sec/secret", "redis://…"),
        ("redis://u:secret@h/0#secret", "redis://h/0"),
        ("redis://[::1]:0/0", "redis://[::1]:0/0"),
        ("u:secret@h", "h"),
        ("u:secret", "…"),
        ("mail.example", "mail.example"),
    ],
)
def test_an_address_is_shown_without_its_password(address: str, shown: str) -> None:
    assert without_secrets(address) == shown


@pytest.mark.parametrize(
    "variables",
    [
        {},
        {"ALLOWED_HOSTS": ".example"},
        {"ALLOWED_HOSTS": "studio.example,[::1],127.0.0.1"},
        {"ALLOWED_HOSTS": "*"},
        {"ALLOWED_HOSTS": "Studio.Example"},
        {"SITE_ROOT": "http://[::1]:8000", "ALLOWED_HOSTS": "[::1]"},
        {"SECRET_KEY": "abcde" * 7},
        {"SECRET_KEY": "", "DEBUG": "1"},
        {"SECRET_KEY": "short", "DEBUG": "1"},
        {"HSTS_SECONDS": "0", "HSTS_SUBDOMAINS": "0"},
        {"EMAIL_URL": "smtp+tls://user:word@mail.example:587", "EMAIL_FROM": "studio@d.example"},
        {"EMAIL_URL": "consolemail://"},
        {"DATABASE_URL": "postgres://u@h/n?sslmode=require&connect_timeout=5"},
        {"DATABASE_URL": "postgres:///n?host=/var/run/postgresql"},
        {"DATABASE_URL": "postgres:///n"},
        {"DATABASE_URL": "postgres://u@/n?host=@catalogue"},
        {"DATABASE_URL": "postgres://u@10.0.0.3,db_1.example/n"},
        {"DATABASE_URL": "postgres://u@[::1]/n"},
        {"DATABASE_URL": f"postgres://u@h/{'n' * 63}?port=5432&hostaddr=::1"},
        {"DATABASE_URL": "postgres://u:p%40%C4%91@h1,h2/n?port=5432,5433"},
        {"DATABASE_URL": "postgres://u@h1,h2/n?hostaddr=10.0.0.1,10.0.0.2"},
        {"DATABASE_URL": "sqlite:////srv/c%C3%A1c%20b%E1%BA%A3n/catalogue.sqlite3"},
        {"CACHE_URL": "redis://shared_cache:6379"},
        {"CACHE_URL": "redis://[::1]:6379/0"},
        {"CACHE_URL": "redis://:p%40%2Fword@10.0.0.1/0"},
        {"CACHE_URL": "redis://user:word@cache.example:6379/1"},
        {"CACHE_URL": "rediss://cache.example"},
        {"EMAIL_URL": "filemail:////tmp/mail"},
    ],
)
def test_an_allowed_setting_has_no_fault(
    variables: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert find_faults(monkeypatch, **variables) == []


def test_an_origin_by_its_ipv6_address_answers_to_it(
    db: None, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    found = read_settings(monkeypatch, SITE_ROOT="http://[::1]:8000")
    settings.SITE_ROOT, settings.ALLOWED_HOSTS = found.SITE_ROOT, found.ALLOWED_HOSTS

    assert Client(headers={"host": "[::1]:8000"}).get("/robots.txt").status_code == 200


COMMANDS = [
    ("check",),
    ("migrate", "--check"),
    ("makemigrations", "--check"),
    ("load_content",),
    ("demo_editor",),
    ("createsuperuser", "--no-input"),
    ("freeze", "TARGET"),
    ("releases", "TARGET"),
    ("openapi",),
    ("collectstatic", "--no-input"),
    ("shell", "--command", "1"),
    ("help",),
]


@pytest.mark.parametrize(
    "command",
    mark_others(COMMANDS, ("check",), ("freeze", "TARGET"), ("help",)),
    ids=lambda command: command[0],
)
def test_a_wrong_setting_ends_any_command_before_it_does_anything(
    command: tuple[str, ...], tmp_path: Path
) -> None:
    words = [str(tmp_path / word) if word == "TARGET" else word for word in command]
    database = tmp_path / "catalogue.sqlite3"

    result = run_manage(
        *words, **GOOD | {"TIME_ZONE": "Hanoi", "DATABASE_URL": f"sqlite:///{database}"}
    )

    assert (result.returncode, result.stdout) == (2, "")
    assert re.fullmatch(r"site_mirror\.E005: TIME_ZONE='Hanoi' [^\n]+\.\n", result.stderr)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "command", mark_others([("check",), ("freeze", "nowhere"), ("migrate",)], ("check",))
)
@pytest.mark.parametrize("missing", GOOD)
def test_a_missing_setting_ends_any_command(missing: str, command: tuple[str, ...]) -> None:
    result = run_manage(
        *command, **{name: value for name, value in GOOD.items() if name != missing}
    )

    assert (result.returncode, result.stdout) == (2, "")
    assert re.fullmatch(
        rf"{missing} is not set\. Set it, for example {missing}=[^\n]+\n", result.stderr
    )


def test_each_of_several_wrong_settings_is_reported() -> None:
    result = run_manage("check", **GOOD | {"TIME_ZONE": "Hanoi", "RATE_LIMIT": "off"})

    assert [line[:16] for line in result.stderr.splitlines()] == [
        IDS["RATE_LIMIT"],
        IDS["TIME_ZONE"],
    ]


def import_origin(**variables: str) -> subprocess.CompletedProcess[str]:
    """The live origin's module, imported as a server imports it."""
    kept = {name: value for name, value in os.environ.items() if name not in CLEARED}
    return subprocess.run(
        [sys.executable, "-c", "import site_mirror.wsgi"],
        cwd=ROOT,
        env=kept | variables,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("variables", "sentence"),
    [
        (GOOD | {"RATE_LIMIT": "maybe"}, "RATE_LIMIT='maybe' is not allowed"),
        ({"SITE_ROOT": "https://studio.example"}, "SECRET_KEY is not set"),
        pytest.param(
            *({"SECRET_KEY": GOOD["SECRET_KEY"]}, "SITE_ROOT is not set"), marks=A_PROCESS_EACH
        ),
    ],
    ids=["wrong", "no key", "no site root"],
)
def test_the_live_origin_refuses_to_start(variables: dict[str, str], sentence: str) -> None:
    result = import_origin(**variables)

    assert result.returncode == 2
    assert sentence in result.stderr
    assert len(result.stderr.splitlines()) == 1


NO_DATABASE = ["sqlite:////nowhere/at/all.sqlite3", "postgres://nobody:secret@127.0.0.1:1/none"]
READ = [("load_content",), ("demo_editor",), ("openapi",)]


@pytest.mark.parametrize(
    "command", mark_others(READ, ("load_content",)), ids=lambda command: command[0]
)
def test_a_database_without_tables_is_reported_in_one_sentence(
    command: tuple[str, ...], tmp_path: Path
) -> None:
    result = run_manage(*command, **GOOD | {"DATABASE_URL": f"sqlite:///{tmp_path}/empty.sqlite3"})

    assert result.returncode == 1
    assert re.fullmatch(
        r"The database of DATABASE_URL lacks migrations \(\d+\); run “manage.py migrate” [^\n]+\n",
        result.stderr,
    )


def test_a_failed_migrate_reports_its_own_error(tmp_path: Path) -> None:
    database = tmp_path / "with_a_table.sqlite3"
    with sqlite3.connect(database) as connection:
        connection.execute("CREATE TABLE django_session (own)")
    result = run_manage("migrate", **GOOD | {"DATABASE_URL": f"sqlite:///{database}"})

    assert result.returncode == 1
    assert 'table "django_session" already exists' in result.stderr
    assert "run “manage.py migrate”" not in result.stderr


@pytest.mark.parametrize(
    "asked",
    mark_others(
        product([*READ, ("migrate",)], NO_DATABASE),
        (("migrate",), NO_DATABASE[0]),
        (("load_content",), NO_DATABASE[1]),
    ),
    ids=lambda asked: f"{asked[0][0]} of {asked[1]}",
)
def test_an_unreachable_database_is_reported_in_one_sentence(
    asked: tuple[tuple[str, ...], str],
) -> None:
    command, address = asked
    result = run_manage(*command, **GOOD | {"DATABASE_URL": address})

    assert result.returncode == 1
    assert re.fullmatch(r"The database of DATABASE_URL cannot be reached: [^\n]+\n", result.stderr)
    assert "secret" not in result.stderr


@pytest.mark.parametrize("address", mark_others(NO_DATABASE, NO_DATABASE[1]))
def test_a_freeze_reports_an_unreachable_database_in_one_sentence(
    address: str, tmp_path: Path
) -> None:
    result = run_manage("freeze", str(tmp_path / "site"), **GOOD | {"DATABASE_URL": address})

    assert result.returncode == 1
    assert re.fullmatch(r"CommandError: The content cannot be read: [^\n]+\n", result.stderr)
    assert "secret" not in result.stderr


def test_the_traceback_of_a_database_error_is_shown_on_request() -> None:
    result = run_manage("load_content", "--traceback", **GOOD | {"DATABASE_URL": NO_DATABASE[0]})

    assert result.returncode == 1
    assert "Traceback" in result.stderr


def test_models_and_migrations_agree(db: None, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("makemigrations", "--check", "--dry-run")

    assert capsys.readouterr().out == "No changes detected\n"


UNREADABLE = [
    ("serve", "--host", "\udcff"),
    ("password_link", "\udcff"),
    ("releases", "\udcff"),
    ("\udcff",),
]


@pytest.mark.parametrize("words", UNREADABLE, ids=ascii)
def test_an_argument_that_is_not_utf_8_is_reported_in_one_sentence(words: tuple[str, ...]) -> None:
    result = run_manage(*words, **GOOD, PYTHONUTF8="1")

    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == (
        f"Argument {len(words)}, b'\\xff', is not UTF-8: write every argument in UTF-8.\n"
    )


def test_an_argument_in_vietnamese_is_read() -> None:
    result = run_manage("password_link", "đà-nẵng", **GOOD, PYTHONUTF8="1")

    assert "is not UTF-8" not in result.stderr


NO_SETTINGS = [
    *("catalogue.models", "catalogue.admin", "site_mirror.checks", "site_mirror.urls"),
    *("site_mirror.live.views", "site_mirror"),
    *("nope", "nope.settings", "site_mirror.nope", "json", "docs", ".nope", "", "\udcff"),
]


@pytest.mark.parametrize("module", NO_SETTINGS, ids=ascii)
def test_a_module_without_settings_is_reported_in_one_sentence(module: str) -> None:
    result = run_manage("check", **GOOD, DJANGO_SETTINGS_MODULE=module)

    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == expected_sentence(module)


def expected_sentence(module: str) -> str:
    return (
        f"{module!a}, named by --settings or DJANGO_SETTINGS_MODULE, is not a module with this "
        "project's settings; name site_mirror.settings, or none.\n"
    )


@pytest.mark.parametrize("words", [("--settings", "nope"), ("--settings=nope",)])
@pytest.mark.parametrize("command", [("check",), ("freeze", "TARGET"), ("help",)])
def test_an_option_with_a_module_without_settings_is_reported_in_one_sentence(
    command: tuple[str, ...], words: tuple[str, ...], tmp_path: Path
) -> None:
    named = [str(tmp_path / word) if word == "TARGET" else word for word in command]

    result = run_manage(*named, *words, **GOOD)

    assert (result.returncode, result.stdout, result.stderr) == (2, "", expected_sentence("nope"))
    assert list(tmp_path.iterdir()) == []
