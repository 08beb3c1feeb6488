import secrets
from typing import Any

from django.contrib.auth.models import Group, Permission, User
from django.core.management.base import BaseCommand, CommandParser

from catalogue.models import Revision

EDITOR_NAME = "editor"
GROUP_NAME = "Content editors"
ADMINISTRATOR_HINT = "Users and groups are an administrator's: “make administrator” creates one."


class Command(BaseCommand):
    help = (
        "Create the demo editor with a random password, or give it a new one with --reset. "
        f"The account has the rights of the group “{GROUP_NAME}”: all content, and nothing else."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--reset", action="store_true", help="set and print a new password")

    def handle(self, *, reset: bool, **options: Any) -> str:
        editor, created = User.objects.get_or_create(username=EDITOR_NAME)
        password = secrets.token_urlsafe(12) if created or reset else None
        if password:
            editor.set_password(password)
        editor.is_staff, editor.is_superuser = True, False
        editor.save()
        editor.user_permissions.clear()
        editor.groups.set([editors_group()])
        if password:
            return f"Demo editor: {EDITOR_NAME}\nPassword:    {password}\n{ADMINISTRATOR_HINT}"
        exists = f"The demo editor “{EDITOR_NAME}” exists; “make editor” prints a new password."
        return f"{exists}\n{ADMINISTRATOR_HINT}"


def editors_group() -> Group:
    group, _ = Group.objects.get_or_create(name=GROUP_NAME)
    content = Permission.objects.filter(content_type__app_label="catalogue")
    group.permissions.set(content.exclude(content_type__model=Revision._meta.model_name))
    return group
