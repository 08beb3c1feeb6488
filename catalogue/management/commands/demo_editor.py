import secrets
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandParser

NAME = "editor"


class Command(BaseCommand):
    help = "Create the demo editor with a random password, or give it a new one with --reset."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--reset", action="store_true", help="set and print a new password")

    def handle(self, *, reset: bool, **options: Any) -> str:
        users = get_user_model()
        editor, created = users.objects.get_or_create(
            username=NAME, defaults={"is_staff": True, "is_superuser": True}
        )
        if not (created or reset):
            return f"The demo editor “{NAME}” exists; “make editor” prints a new password."
        password = secrets.token_urlsafe(12)
        editor.set_password(password)
        editor.save()
        return f"Demo editor: {NAME}\nPassword:    {password}"
