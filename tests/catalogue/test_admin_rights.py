"""An editor cannot give a right that he lacks, whatever he sends to the admin."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group, Permission, User
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from tests import factories
from tests.admin_pages import admin_address, form_address, form_errors, model_label, save_form

pytestmark = pytest.mark.django_db

MANAGER_RIGHTS = ("add_user", "change_user", "delete_user", "view_user")
GROUP_RIGHTS = ("add_group", "change_group", "delete_group", "view_group")
GOOD_PASSWORD = "tám-quả-dọi-treo-nghiêng"  # noqa: S105
PASSWORDS = {"usable_password": "true", "password1": GOOD_PASSWORD, "password2": GOOD_PASSWORD}


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
    """A user who manages accounts and groups and edits posts, and is not a superuser."""
    return make_user("manager", *MANAGER_RIGHTS, *GROUP_RIGHTS, "change_post", "view_post")


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
    user = manager if name == "manager" else User.objects.create_user("helper")
    group = make_group("Apps", "change_app", "change_post")
    before = read_privileges(user)

    for field, value in {
        "is_superuser": "on",
        "is_staff": "on",
        "user_permissions": find_permissions(*MANAGER_RIGHTS, "delete_app"),
        "groups": [group.pk],
    }.items():
        answer = save_form(desk, user, **{field: value})

        refused = field in ("user_permissions", "groups")
        assert answer.status_code == (200 if refused else 302)
        assert not refused or field in form_errors(answer)
        assert read_privileges(user) == before


def test_a_group_gets_no_right_that_its_maker_lacks(desk: Client, manager: User) -> None:
    own, wider = make_group("Posts", "change_post"), find_permissions("change_post", "change_app")
    manager.groups.add(own)

    for page in (form_address(own), admin_address(Group, "add")):
        answer = desk.post(page, {"name": "Wider", "permissions": wider})

        assert "permissions" in answer.context["adminform"].form.errors
    assert [each.codename for each in own.permissions.all()] == ["change_post"]
    assert Group.objects.count() == 1


def test_a_new_account_is_neither_staff_nor_superuser(desk: Client) -> None:
    more = {"username": "new", "is_superuser": "on", "is_staff": "on"}
    desk.post(admin_address(User, "add"), PASSWORDS | more)

    assert read_privileges(User.objects.get(username="new"))[:2] == (False, False)


def test_a_manager_gives_a_lesser_account_his_own_rights_and_a_password(desk: Client) -> None:
    helper, group = make_user("helper", "view_post"), make_group("Posts", "change_post")

    rights = {"groups": [group.pk], "user_permissions": find_permissions("view_post")}
    save_form(desk, helper, **rights)
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


def test_a_manager_neither_changes_nor_deletes_a_group_with_more_rights(desk: Client) -> None:
    group = make_group("Apps", "change_app")

    assert desk.post(form_address(group), {"name": "Mine", "permissions": []}).status_code == 403
    assert desk.post(admin_address(Group, "delete", group.pk), {"post": "yes"}).status_code == 403
    assert Group.objects.get(pk=group.pk).name == "Apps"
    assert desk.get(form_address(group)).status_code == 200


def test_a_superuser_makes_a_superuser(admin_client: Client) -> None:
    helper = make_user("helper")
    save_form(admin_client, helper, is_superuser="on")

    assert read_privileges(helper)[:2] == (True, True)


def test_the_demo_editor_opens_every_screen_of_content_and_none_of_accounts(
    client: Client,
) -> None:
    admin.autodiscover()
    factories.make_one_of_each()
    call_command("demo_editor")
    client.force_login(User.objects.get(username="editor"))

    for model in sorted(admin.site._registry, key=model_label):
        is_content = model._meta.app_label == "catalogue"
        listed = client.get(admin_address(model, "changelist"), follow=True)
        assert listed.status_code == (200 if is_content else 403), model
        may_add = is_content and model._meta.model_name != "studio"
        added = client.get(admin_address(model, "add"))
        assert added.status_code == (200 if may_add else 403), model
        if is_content:
            page = client.get(form_address(model._default_manager.first()))  # type: ignore[arg-type]
            assert page.context["has_change_permission"], model


def test_the_demo_editor_is_no_superuser_and_gets_its_password_once(
    capsys: pytest.CaptureFixture[str],
) -> None:
    call_command("demo_editor")
    first = capsys.readouterr().out
    password = first.partition("Password:")[2].split()[0]
    User.objects.update(is_superuser=True)
    User.objects.get().user_permissions.add(Permission.objects.get(codename="add_user"))
    call_command("demo_editor")
    found = User.objects.get(username="editor")

    assert found.check_password(password)
    assert password not in capsys.readouterr().out
    assert "make administrator" in first
    assert (found.is_superuser, found.is_staff) == (False, True)
    assert {name.partition(".")[0] for name in found.get_all_permissions()} == {"catalogue"}
