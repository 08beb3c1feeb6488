"""A setting that documents depend on changes them; any other setting changes no byte.

The variables are read from the settings module: one that is missing here fails.
"""

import re
from pathlib import Path

import pytest

from tests.freeze import processes
from tests.freeze.incremental import freezes
from tests.freeze.incremental.programs import THIS_PROGRAM

ROOT, ZONE = "SITE_ROOT", "TIME_ZONE"
DATABASE = "DATABASE_URL"
HSTS = {"HSTS_SECONDS", "HSTS_SUBDOMAINS"}
WITHOUT_EFFECT = {
    "SECRET_KEY": "another secret " * 8,
    "ALLOWED_HOSTS": "studio.example,www.studio.example",
    "DEBUG": "1",
    "RATE_LIMIT": "0",
    "BEHIND_PROXY": "1",
    "CACHE_URL": "redis://127.0.0.1:1/0",
    "EMAIL_URL": "smtp://editors:secret@127.0.0.1:1",
    "EMAIL_FROM": "studio@studio.example",
    "LOG_FORMAT": "json",
    "ACCESS_LOG": "0",
}
"""Another value of each setting that has no effect on a release."""


def test_every_setting_is_in_a_table_of_this_module() -> None:
    text = (processes.PROJECT / "site_mirror/settings/__init__.py").read_text()
    read = re.findall(r'env\.\w+\(\s*"(\w+)"', text)

    assert set(read) == {ROOT, ZONE, DATABASE, *HSTS, *WITHOUT_EFFECT}


@pytest.mark.exhaustive("freezes by the command with each setting")
@pytest.mark.parametrize(
    ("name", "value"),
    [
        (ROOT, "https://other.example"),
        (ROOT, "https://studio.example:8443"),
        (ROOT, "http://studio.example"),
        (ZONE, "America/St_Johns"),
        ("HSTS_SECONDS", "300"),
        ("HSTS_SUBDOMAINS", "0"),
    ],
    ids=["host", "port", "scheme", "time zone", "HSTS", "HSTS of subdomains"],
)
def test_a_changed_setting_publishes_the_bytes_of_a_full_freeze(
    name: str, value: str, before: Path, small_database: Path, tmp_path: Path
) -> None:
    again, full = freezes.copy_target(before, tmp_path / "again"), tmp_path / "full"

    codes = [
        THIS_PROGRAM.freeze(target, small_database, **{name: value}) for target in (again, full)
    ]

    assert codes == [processes.PUBLISHED, processes.PUBLISHED]
    assert freezes.find_differences(full, before) != set()
    assert freezes.find_differences(again, full) == set()


@pytest.mark.exhaustive("freezes by the command with each setting")
@pytest.mark.parametrize("name", WITHOUT_EFFECT)
def test_a_setting_without_effect_on_documents_changes_nothing(
    name: str, before: Path, small_database: Path, tmp_path: Path
) -> None:
    again = freezes.copy_target(before, tmp_path / "again")

    assert (
        THIS_PROGRAM.freeze(again, small_database, **{name: WITHOUT_EFFECT[name]})
        == processes.UNCHANGED
    )
    assert freezes.find_differences(again, before) == set()
