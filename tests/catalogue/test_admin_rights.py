"""Nobody gives a right that he lacks, whatever he sends to the admin."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.test import Client
from django.urls import reverse

from tests.admin_pages import admin_address, form_address, form_errors, save_form

pytestmark = pytest.mark.django_db

MANAGER_RIGHTS = ("add_user", "change_user", "delete_user", "view_user")
GOOD_PASSWORD = "tám-quả-dọi-treo-nghiêng"  # noqa: S105
PASSWORDS = {"password1": GOOD_PASSWORD, "password2": GOOD_PASSWORD}


def find_permissions(*codenames: str) -> list[int]:
    return [each.pk for each in Permission.objects.filter(codename__in=codenames)]


def make_user(name: str, *codenames: str, **fields: Any) -> User:
    user = User.objects.create_user(name, f"{name}@studio.example", is_staff=True, **fields)
    user.user_permissions.set(find_permissions(*codenames))
    return user


def make_group(name: str, *codenames: str) -> Group:
    group = Group.objects.create(name=name)
    group.permissions.set(find_permissions(*codenames))
    return group


@pytest.fixture
def manager() -> User:
    """A user who manages accounts and edits posts, and is not a superuser."""
    return make_user("manager", *MANAGER_RIGHTS, "change_post", "view_post")


@pytest.fixture
def desk(client: Client, manager: User) -> Client:
    """The manager's browser."""
    client.force_login(manager)
    return client


def read_privileges(user: User) -> tuple[Any, ...]:
    found = User.objects.get(pk=user.pk)
    return (
        *(found.is_superuser, found.is_staff, found.is_active, found.username, found.email),
        found.password,
        sorted(found.groups.values_list("name", flat=True)),
        sorted(found.user_permissions.values_list("codename", flat=True)),
    )


@pytest.mark.parametrize("name", ["manager", "helper"])
def test_a_manager_gives_neither_himself_nor_others_what_he_lacks(
    desk: Client, manager: User, name: str
) -> None:
    user = manager if name == "manager" else make_user("helper")
    group = make_group("Apps", "change_app", "change_post")
    before = read_privileges(user)

    for field, value in {
        "is_superuser": "on",
        "is_staff": "on",
        "user_permissions": find_permissions(*MANAGER_RIGHTS, "delete_app"),
        "groups": [group.pk],
    }.items():
        answer = save_form(desk, user, **{field: value})

        refused = field == "groups"
        assert answer.status_code == (200 if refused else 302)
        assert not refused or field in form_errors(answer)
        assert read_privileges(user) == before


def test_a_new_account_has_a_role_and_no_superuser(desk: Client) -> None:
    group = make_group("Posts", "change_post")
    more = {"username": "new", "is_superuser": "on", "groups": [group.pk], "email": ""}
    desk.post(admin_address(User, "add"), PASSWORDS | more)

    assert read_privileges(User.objects.get(username="new"))[:3] == (False, True, True)
    assert read_privileges(User.objects.get(username="new"))[-2:] == (["Posts"], [])


def test_a_manager_gives_a_lesser_account_a_role_and_a_password(desk: Client) -> None:
    helper, group = make_user("helper", "view_post"), make_group("Posts", "change_post")

    save_form(desk, helper, groups=[group.pk])
    desk.post(password_form(helper), PASSWORDS)

    assert read_privileges(helper)[-2:] == (["Posts"], ["view_post"])
    helper.refresh_from_db()
    assert helper.check_password(GOOD_PASSWORD)


def password_form(user: User) -> str:
    return reverse("admin:auth_user_password_change", args=[user.pk])


def make_member() -> User:
    member = make_user("member")
    member.groups.add(make_group("Apps", "change_app"))
    return member


GREATER: dict[str, Callable[[], User]] = {
    "superuser": lambda: User.objects.create_superuser("owner", "owner@studio.example", "older"),
    "former superuser": lambda: User.objects.create_superuser("former", is_active=False),
    "editor of apps": lambda: make_user("apps", "change_app"),
    "member of a group": make_member,
}


@pytest.mark.parametrize("make", GREATER.values(), ids=GREATER)
def test_a_manager_sees_a_greater_account_and_changes_nothing_of_it(
    desk: Client, make: Callable[[], User]
) -> None:
    other = make()
    before, page = read_privileges(other), desk.get(form_address(other))
    several = {"action": "delete_selected", "_selected_action": [other.pk], "post": "yes"}

    assert page.status_code == 200
    assert not page.context["has_change_permission"]
    assert desk.post(form_address(other), {"username": "mine"}).status_code == 403
    assert desk.get(password_form(other)).status_code == 403
    assert desk.post(password_form(other), PASSWORDS).status_code == 403
    assert desk.post(admin_address(User, "delete", other.pk), {"post": "yes"}).status_code == 403
    desk.post(admin_address(User, "changelist"), several)
    assert read_privileges(other) == before
