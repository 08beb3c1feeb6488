"""`create_administrator` creates the first administrator without a prompt."""

from io import StringIO
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

pytestmark = pytest.mark.django_db

PASSWORD = "a needle beside a lift shaft"  # noqa: S105  (of a database that ends with the test)


def create(*words: str) -> str:
    out = StringIO()
    call_command("create_administrator", *words, stdout=out)
    return out.getvalue()


def only_user() -> User:
    [user] = get_user_model().objects.all()
    assert isinstance(user, User)
    return user


@pytest.fixture
def password_file(tmp_path: Path) -> Path:
    file = tmp_path / "password"
    file.write_text(f"{PASSWORD}\n")
    return file


def test_a_generated_password_is_printed_once() -> None:
    printed = create("linh").split()[-1]
    again = create("linh")

    assert only_user().check_password(printed)
    assert printed not in again
    assert "An administrator exists" in again


def test_a_password_from_a_file_is_not_printed(password_file: Path) -> None:
    out = create("linh", "--password-file", str(password_file), "--email", "linh@studio.example")
    user = only_user()

    assert PASSWORD not in out
    assert (user.is_superuser, user.is_staff, user.email) == (True, True, "linh@studio.example")
    assert user.check_password(PASSWORD)


def test_a_second_run_changes_no_password(password_file: Path) -> None:
    create("linh", "--password-file", str(password_file))
    before = only_user().password
    password_file.write_text("another needle in a haystack\n")
    create("thao", "--password-file", str(password_file))

    assert only_user().password == before


def test_an_inactive_administrator_does_not_count(password_file: Path) -> None:
    get_user_model().objects.create_superuser("gone", password=PASSWORD, is_active=False)
    create("linh", "--password-file", str(password_file))

    assert get_user_model().objects.filter(username="linh", is_superuser=True).exists()


@pytest.mark.parametrize("text", ["", "\n", "\n second"])
def test_a_file_without_a_password_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "password").write_text(text)
    with pytest.raises(CommandError, match="has no password in its first line"):
        create("linh", "--password-file", str(tmp_path / "password"))


def test_a_missing_password_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="cannot be read from"):
        create("linh", "--password-file", str(tmp_path / "none"))


def test_an_invalid_user_name_is_refused(password_file: Path) -> None:
    with pytest.raises(CommandError, match="valid username"):
        create("linh & thao", "--password-file", str(password_file))


def test_a_weak_password_of_an_administrator_is_refused(
    password_file: Path, settings: pytest.FixtureRequest
) -> None:
    rule = "django.contrib.auth.password_validation.MinimumLengthValidator"
    settings.AUTH_PASSWORD_VALIDATORS = [{"NAME": rule}]  # type: ignore[attr-defined]
    password_file.write_text("short\n")
    with pytest.raises(CommandError, match="too short"):
        create("linh", "--password-file", str(password_file))
