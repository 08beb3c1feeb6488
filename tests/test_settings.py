"""Settings: what is missing stops the program, what is wrong is an error with an id and a hint."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
GOOD = {"SECRET_KEY": "a key for this test alone " * 3, "SITE_ROOT": "https://studio.example"}
CLEARED = (
    "SNAPSHOT_SIGNING_KEY",
    "DEBUG",
    "DATABASE_URL",
    "CACHE_URL",
    "TIME_ZONE",
    "RATE_LIMIT",
    "ALLOWED_HOSTS",
)


def manage(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if name not in {*GOOD, *CLEARED}}
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=kept | variables,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("missing", GOOD)
def test_without_a_required_setting_the_program_says_which_and_stops(missing: str) -> None:
    rest = {name: value for name, value in GOOD.items() if name != missing}

    result = manage("check", **rest)

    assert result.returncode == 1
    assert f"{missing} is not set. Set it, for example {missing}=" in result.stderr


def test_debug_alone_is_enough_on_a_machine_of_ones_own() -> None:
    assert manage("check", DEBUG="1").returncode == 0


def test_good_settings_pass_the_checks_for_deployment() -> None:
    manage("collectstatic", "--no-input", **GOOD)
    result = manage("check", "--deploy", "--fail-level", "WARNING", **GOOD)

    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.parametrize(
    ("variable", "value", "identifier"),
    [
        ("DEBUG", "yes", "site_mirror.E001"),
        ("DEBUG", "True", "site_mirror.E001"),
        ("SITE_ROOT", "studio.example", "site_mirror.E002"),
        ("SITE_ROOT", "https://studio.example/base", "site_mirror.E002"),
        ("SITE_ROOT", "ftp://studio.example", "site_mirror.E002"),
        ("SITE_ROOT", "https://user@studio.example", "site_mirror.E002"),
        ("SITE_ROOT", "https://Studio.Example", "site_mirror.E002"),
        ("SITE_ROOT", "https://studio.example:port", "site_mirror.E002"),
        ("SITE_ROOT", "https://a b.example", "site_mirror.E002"),
        ("SITE_ROOT", 'https://studio.example"><x', "site_mirror.E002"),
        ("SITE_ROOT", "https://đà.example", "site_mirror.E002"),
        ("SITE_ROOT", "https://:@h", "site_mirror.E002"),
        ("DATABASE_URL", "mysql://u:secret@h/db", "site_mirror.E003"),
        ("DATABASE_URL", "catalogue.sqlite3", "site_mirror.E003"),
        ("DATABASE_URL", "postgres://h:bad/x", "site_mirror.E003"),
        ("DATABASE_URL", "postgres://u:secret@h", "site_mirror.E003"),
        ("DATABASE_URL", "sqlite://", "site_mirror.E003"),
        ("CACHE_URL", "memcached://h", "site_mirror.E004"),
        ("CACHE_URL", "redis://h:bad/0", "site_mirror.E004"),
        ("TIME_ZONE", "Hanoi", "site_mirror.E005"),
        ("RATE_LIMIT", "off", "site_mirror.E006"),
        ("BEHIND_PROXY", "2", "site_mirror.E007"),
        ("ALLOWED_HOSTS", "elsewhere.example", "site_mirror.E008"),
        ("SNAPSHOT_SIGNING_KEY", "secret", "site_mirror.E009"),
        ("SNAPSHOT_SIGNING_KEY", f"MC4CAQAwBQYDK2VwBCIEIsecret{'A' * 36}", "site_mirror.E009"),
    ],
)
def test_a_wrong_setting_is_an_error_with_an_id_and_a_hint(
    variable: str, value: str, identifier: str
) -> None:
    result = manage("check", **GOOD | {variable: value})

    assert result.returncode == 1
    assert identifier in result.stderr
    assert "HINT: " in result.stderr
    assert "secret" not in result.stderr


def test_the_live_origin_refuses_to_start_on_a_wrong_setting() -> None:
    command = [sys.executable, "-c", "import site_mirror.wsgi"]
    result = subprocess.run(
        command,
        cwd=ROOT,
        env=os.environ | GOOD | {"RATE_LIMIT": "maybe"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert result.returncode == 1
    assert "RATE_LIMIT='maybe' is not allowed." in result.stderr


def test_models_and_migrations_agree() -> None:
    result = manage("makemigrations", "--check", "--dry-run", **GOOD)

    assert (result.returncode, result.stdout) == (0, "No changes detected\n")
