"""`create_administrator` creates the first administrator without a prompt."""

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

pytestmark = pytest.mark.django_db

PASSWORD = "a needle beside a lift shaft"  # noqa: S105  (of a database that ends with the test)


def create(*words: str) -> str:
    out = StringIO()
    call_command("create_administrator", *words, stdout=out)
    return out.getvalue()


def create_with_file(folder: Path, text: str, name: str = "linh") -> str:
    """Run the command with a password file that has a text."""
    (folder / "password").write_text(text)
    words = ("--password-file", str(folder / "password"), "--email", "linh@studio.example")
    return create(name, *words)


def test_a_generated_password_is_printed_once() -> None:
    printed = create("linh").split()[-1]
    again = create("linh")

    assert User.objects.get().check_password(printed)
    assert printed not in again
    assert "An administrator exists" in again


def test_a_password_from_a_file_is_not_printed_and_not_changed_again(tmp_path: Path) -> None:
    """An inactive administrator does not count."""
    User.objects.create_superuser("gone", password=PASSWORD, is_active=False)
    out = create_with_file(tmp_path, f"{PASSWORD}\n")
    create_with_file(tmp_path, "another needle in a haystack\n", "thao")
    user = User.objects.exclude(username="gone").get()

    assert PASSWORD not in out
    assert (user.username, user.email) == ("linh", "linh@studio.example")
    assert (user.is_superuser, user.is_staff) == (True, True)
    assert user.check_password(PASSWORD)


@pytest.mark.parametrize(
    ("text", "name", "words"),
    [
        ("", "linh", "has no password in its first line"),
        ("\n second", "linh", "has no password in its first line"),
        (PASSWORD, "linh & thao", "valid username"),
        ("short\n", "linh", "too short"),
    ],
)
def test_an_unusable_name_or_password_is_refused(
    text: str, name: str, words: str, tmp_path: Path, settings: Any
) -> None:
    rule = "django.contrib.auth.password_validation.MinimumLengthValidator"
    settings.AUTH_PASSWORD_VALIDATORS = [{"NAME": rule}]
    with pytest.raises(CommandError, match=words):
        create_with_file(tmp_path, text, name)

    assert not User.objects.exists()


def test_a_missing_password_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="cannot be read from"):
        create("linh", "--password-file", str(tmp_path / "none"))
