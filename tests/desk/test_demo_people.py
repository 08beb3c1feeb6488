"""`demo_people`, which `make run` starts each time, prints accounts that work."""

from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from pytest_django import Settings

pytestmark = pytest.mark.django_db


def print_people() -> dict[str, str]:
    out = StringIO()
    call_command("demo_people", stdout=out)
    lines = out.getvalue().splitlines()
    return dict(line.split(maxsplit=1) for line in lines[1:])


def test_each_role_has_an_account_whose_password_is_printed_again(settings: Settings) -> None:
    printed = print_people()

    assert [*printed] == ["writer", "editor", "administrator"]
    assert len({*printed.values()}) == 3
    for name, password in printed.items():
        user = User.objects.get(username=name)
        assert user.check_password(password)
        assert (user.is_staff, user.is_superuser) == (True, False)
        assert [group.name.lower() for group in user.groups.all()] == [name]
    assert print_people() == printed
    settings.SECRET_KEY = "another key, as long as a key must be"  # noqa: S105
    assert {*print_people().values()} == {"one of your own"}


def test_a_changed_password_and_a_changed_role_stay() -> None:
    print_people()
    writer = User.objects.get(username="writer")
    writer.set_password("tám quả dọi")
    writer.save()
    writer.groups.clear()

    assert print_people()["writer"] == "one of your own"
    writer.refresh_from_db()
    assert writer.check_password("tám quả dọi")
    assert not writer.groups.exists()
