"""A setting that enters documents is among what they are made of; any other changes no byte.

The variables are read off the settings: one that is not in the tables here fails.
"""

import re
import shutil
from base64 import b64encode
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from tests.freeze import processes
from tests.freeze.incremental import freezes
from tests.freeze.incremental.programs import PRESENT

ROOT, ZONE, SIGNED = "SITE_ROOT", "TIME_ZONE", "SNAPSHOT_SIGNING_KEY"
DATABASE = "DATABASE_URL"
HSTS = {"HSTS_SECONDS", "HSTS_SUBDOMAINS"}
OUTSIDE = {
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
"""Another value of each setting of which no release tells."""


def new_key() -> str:
    key = Ed25519PrivateKey.generate()
    return b64encode(key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())).decode()


def test_every_setting_is_tried_here() -> None:
    text = (processes.PROJECT / "site_mirror/settings.py").read_text()
    read = re.findall(r'ENVIRONMENT\.\w+\(\s*"(\w+)"', text)

    assert set(read) == {ROOT, ZONE, SIGNED, DATABASE, *HSTS, *OUTSIDE}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        (ROOT, "https://other.example"),
        (ROOT, "https://studio.example:8443"),
        (ROOT, "http://studio.example"),
        (ZONE, "America/St_Johns"),
        (SIGNED, new_key()),
        ("HSTS_SECONDS", "300"),
        ("HSTS_SUBDOMAINS", "0"),
    ],
    ids=["host", "port", "scheme", "time zone", "signature", "HSTS", "HSTS of subdomains"],
)
def test_a_changed_setting_publishes_what_it_would_have_published_first(
    name: str, value: str, before: Path, small_database: Path, tmp_path: Path
) -> None:
    again, full = freezes.copied(before, tmp_path / "again"), tmp_path / "full"

    codes = [PRESENT.freeze(target, small_database, **{name: value}) for target in (again, full)]

    assert codes == [processes.PUBLISHED, processes.PUBLISHED]
    assert freezes.differences(full, before) != set()
    assert freezes.differences(again, full) == set()


def test_a_setting_taken_back_gives_what_was(
    before: Path, small_database: Path, tmp_path: Path
) -> None:
    target = freezes.copied(before, tmp_path / "again")
    PRESENT.freeze(
        target, small_database, **{ROOT: "https://other.example", ZONE: "America/St_Johns"}
    )

    PRESENT.freeze(target, small_database)

    assert freezes.differences(target, before) == set()


@pytest.mark.parametrize("name", OUTSIDE)
def test_a_setting_of_which_no_document_tells_changes_nothing(
    name: str, before: Path, small_database: Path, tmp_path: Path
) -> None:
    again = freezes.copied(before, tmp_path / "again")

    assert PRESENT.freeze(again, small_database, **{name: OUTSIDE[name]}) == processes.UNCHANGED
    assert freezes.differences(again, before) == set()


def test_the_same_rows_in_another_database_change_nothing(
    before: Path, small_database: Path, tmp_path: Path
) -> None:
    again = freezes.copied(before, tmp_path / "again")
    moved = Path(shutil.copy(small_database, tmp_path / "moved.sqlite3"))

    assert PRESENT.freeze(again, moved) == processes.UNCHANGED
