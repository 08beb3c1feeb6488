"""An editor cannot give a right that he lacks, whatever he sends to the admin."""

from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group, Permission, User
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from tests import factories
from tests.admin_pages import admin_address, form_address, model_label

pytestmark = pytest.mark.django_db

MANAGER_RIGHTS = ("add_user", "change_user", "delete_user", "view_user")
GROUP_RIGHTS = ("add_group", "change_group", "delete_group", "view_group")
GOOD_PASSWORD = "tám-quả-dọi-treo-nghiêng"  # noqa: S105


def find_permissions(*codenames: str) -> list[Permission]:
    return list(Permission.objects.filter(codename__in=codenames))


def make_user(name: str, *codenames: str, **fields: Any) -> User:
    user = User.objects.create_user(name, f"{name}@studio.example", is_staff=True, **fields)
    user.user_permissions.set(find_permissions(*codenames))
    return user


@pytest.fixture
def manager() -> User:
    """A user who manages accounts and groups and edits posts, and is not a superuser."""
    return make_user("manager", *MANAGER_RIGHTS, *GROUP_RIGHTS, "change_post", "view_post")


@pytest.fixture
def desk(client: Client, manager: User) -> Client:
    """The manager's browser."""
    client.force_login(manager)
    return client


def make_form_data(user: User, **changes: Any) -> dict[str, Any]:
    """Return the data that the form of an account sends."""
    joined = user.date_joined
    kept = {
        "username": user.username,
        "email": user.email,
        "date_joined_0": joined.strftime("%Y-%m-%d"),
        "date_joined_1": joined.strftime("%H:%M:%S"),
        "is_active": "on",
        "is_staff": "on",
        "groups": list(user.groups.values_list("pk", flat=True)),
        "user_permissions": list(user.user_permissions.values_list("pk", flat=True)),
    }
    return kept | changes


def read_privileges(user: User) -> tuple[Any, ...]:
    found = User.objects.get(pk=user.pk)
    return (
        *(found.is_superuser, found.is_staff, found.is_active, found.username, found.email),
        found.password,
        sorted(found.groups.values_list("name", flat=True)),
        sorted(found.user_permissions.values_list("codename", flat=True)),
    )


class TestOwnAccount:
    def test_a_manager_does_not_make_himself_superuser(self, desk: Client, manager: User) -> None:
        before = read_privileges(manager)

        answer = desk.post(form_address(manager), make_form_data(manager, is_superuser="on"))

        assert answer.status_code == 302
        assert read_privileges(manager) == before

    def test_a_manager_does_not_give_himself_a_permission(
        self, desk: Client, manager: User
    ) -> None:
        before = read_privileges(manager)
        more = [each.pk for each in find_permissions(*MANAGER_RIGHTS, "delete_app")]

        answer = desk.post(form_address(manager), make_form_data(manager, user_permissions=more))

        assert "user_permissions" in answer.context["adminform"].form.errors
        assert read_privileges(manager) == before

    def test_a_manager_does_not_join_a_group_with_more_rights(
        self, desk: Client, manager: User
    ) -> None:
        group = Group.objects.create(name="Apps")
        group.permissions.set(find_permissions("change_app", "change_post"))
        before = read_privileges(manager)

        answer = desk.post(form_address(manager), make_form_data(manager, groups=[group.pk]))

        assert "groups" in answer.context["adminform"].form.errors
        assert read_privileges(manager) == before

    def test_a_manager_does_not_widen_his_group(self, desk: Client, manager: User) -> None:
        group = Group.objects.create(name="Posts")
        group.permissions.set(find_permissions("change_post"))
        manager.groups.add(group)
        wider = [each.pk for each in find_permissions("change_post", "change_app")]

        answer = desk.post(form_address(group), {"name": "Posts", "permissions": wider})

        assert "permissions" in answer.context["adminform"].form.errors
        assert [each.codename for each in group.permissions.all()] == ["change_post"]


class TestLesserAccounts:
    def test_a_manager_does_not_make_lesser_accounts_staff_or_superuser(self, desk: Client) -> None:
        helper = User.objects.create_user("helper")

        answer = desk.post(
            form_address(helper), make_form_data(helper, is_superuser="on", is_staff="on")
        )

        assert answer.status_code == 302
        assert read_privileges(helper)[:2] == (False, False)

    def test_a_new_account_is_neither_staff_nor_superuser(self, desk: Client) -> None:
        desk.post(
            admin_address(User, "add"),
            {
                "username": "new",
                "usable_password": "true",
                "password1": GOOD_PASSWORD,
                "password2": GOOD_PASSWORD,
                "is_superuser": "on",
                "is_staff": "on",
            },
        )

        assert read_privileges(User.objects.get(username="new"))[:2] == (False, False)

    def test_a_manager_gives_lesser_accounts_his_own_rights(self, desk: Client) -> None:
        helper = make_user("helper")
        group = Group.objects.create(name="Posts")
        group.permissions.set(find_permissions("change_post"))
        [own] = find_permissions("view_post")

        desk.post(
            form_address(helper),
            make_form_data(helper, groups=[group.pk], user_permissions=[own.pk]),
        )

        assert read_privileges(helper)[-2:] == (["Posts"], ["view_post"])

    def test_a_manager_sets_the_password_of_a_lesser_account(self, desk: Client) -> None:
        helper = make_user("helper", "view_post")

        desk.post(password_form(helper), make_password_data())

        helper.refresh_from_db()
        assert helper.check_password(GOOD_PASSWORD)


def password_form(user: User) -> str:
    return reverse("admin:auth_user_password_change", args=[user.pk])


def make_password_data() -> dict[str, str]:
    return {"usable_password": "true", "password1": GOOD_PASSWORD, "password2": GOOD_PASSWORD}


def make_superuser() -> User:
    return User.objects.create_superuser("owner", "owner@studio.example", "an older password")


def make_former_superuser() -> User:
    return User.objects.create_superuser("former", "former@studio.example", is_active=False)


def make_app_editor() -> User:
    return make_user("apps", "change_app")


def make_member() -> User:
    member = make_user("member")
    group = Group.objects.create(name="Apps")
    group.permissions.set(find_permissions("change_app"))
    member.groups.add(group)
    return member


@pytest.mark.parametrize(
    "make", [make_superuser, make_former_superuser, make_app_editor, make_member]
)
class TestGreaterAccounts:
    def test_a_manager_does_not_change_a_greater_account(self, desk: Client, make: Any) -> None:
        other = make()
        before = read_privileges(other)
        changes = {"username": "mine", "email": "mine@elsewhere.example", "groups": []}

        answer = desk.post(
            form_address(other), make_form_data(other, **changes, user_permissions=[])
        )

        assert answer.status_code == 403
        assert read_privileges(other) == before

    def test_a_manager_does_not_set_the_password_of_a_greater_account(
        self, desk: Client, make: Any
    ) -> None:
        other = make()
        before = read_privileges(other)

        assert desk.get(password_form(other)).status_code == 403
        assert desk.post(password_form(other), make_password_data()).status_code == 403
        assert read_privileges(other) == before

    def test_a_manager_does_not_delete_a_greater_account(self, desk: Client, make: Any) -> None:
        other = make()
        several = {"action": "delete_selected", "_selected_action": [other.pk], "post": "yes"}

        assert (
            desk.post(admin_address(User, "delete", other.pk), {"post": "yes"}).status_code == 403
        )
        desk.post(admin_address(User, "changelist"), several)
        assert User.objects.filter(pk=other.pk).exists()

    def test_a_manager_sees_a_greater_account(self, desk: Client, make: Any) -> None:
        page = desk.get(form_address(make()))

        assert page.status_code == 200
        assert not page.context["has_change_permission"]


def test_a_manager_neither_changes_nor_deletes_a_group_with_more_rights(desk: Client) -> None:
    group = Group.objects.create(name="Apps")
    group.permissions.set(find_permissions("change_app"))

    assert desk.post(form_address(group), {"name": "Mine", "permissions": []}).status_code == 403
    assert desk.post(admin_address(Group, "delete", group.pk), {"post": "yes"}).status_code == 403
    assert Group.objects.get(pk=group.pk).name == "Apps"
    assert desk.get(form_address(group)).status_code == 200


def test_a_new_group_has_only_rights_of_its_maker(desk: Client) -> None:
    wider = [each.pk for each in find_permissions("change_app")]

    answer = desk.post(admin_address(Group, "add"), {"name": "Apps", "permissions": wider})

    assert "permissions" in answer.context["adminform"].form.errors
    assert not Group.objects.filter(name="Apps").exists()


def test_a_user_with_view_permissions_sees_accounts_and_changes_none(client: Client) -> None:
    client.force_login(make_user("reader", "view_user"))
    other = make_user("other")

    assert client.get(form_address(other)).status_code == 200
    assert (
        client.post(form_address(other), make_form_data(other, username="mine")).status_code == 403
    )


def test_a_superuser_makes_a_superuser(admin_client: Client) -> None:
    helper = make_user("helper")

    admin_client.post(form_address(helper), make_form_data(helper, is_superuser="on"))

    assert read_privileges(helper)[:2] == (True, True)


@pytest.fixture
def demo_editor(client: Client) -> Client:
    """The browser of the account that `make run` creates."""
    call_command("demo_editor")
    client.force_login(User.objects.get(username="editor"))
    return client


admin.autodiscover()
CONTENT = [
    model
    for model in sorted(admin.site._registry, key=model_label)
    if model._meta.app_label == "catalogue"
]


@pytest.mark.parametrize("model", CONTENT, ids=model_label)
def test_the_demo_editor_opens_every_screen_of_content(demo_editor: Client, model: Any) -> None:
    factories.make_one_of_each()
    only_one = model._meta.model_name == "studio"

    assert demo_editor.get(admin_address(model, "changelist"), follow=True).status_code == 200
    assert demo_editor.get(admin_address(model, "add")).status_code == (403 if only_one else 200)
    page = demo_editor.get(form_address(model._default_manager.first()))
    assert page.status_code == 200
    assert page.context["has_change_permission"]


@pytest.mark.parametrize("model", [User, Group], ids=model_label)
def test_the_demo_editor_does_not_manage_accounts(demo_editor: Client, model: Any) -> None:
    assert demo_editor.get(admin_address(model, "changelist")).status_code == 403
    assert demo_editor.get(admin_address(model, "add")).status_code == 403


def test_an_existing_demo_editor_stops_being_a_superuser() -> None:
    User.objects.create_superuser("editor", password="an older password")  # noqa: S106

    call_command("demo_editor")

    found = User.objects.get(username="editor")
    assert (found.is_superuser, found.is_staff) == (False, True)
    assert found.check_password("an older password")
    assert {name.partition(".")[0] for name in found.get_all_permissions()} == {"catalogue"}


def test_the_password_of_the_demo_editor_is_printed_once(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for _ in range(2):
        call_command("demo_editor")
    first, second = (
        capsys.readouterr().out.split("Demo editor: editor")[-1].split("The demo editor")
    )

    password = first.partition("Password:")[2].split()[0]
    assert User.objects.get(username="editor").check_password(password)
    assert "make editor" in second
    assert "make administrator" in first
