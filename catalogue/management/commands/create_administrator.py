"""Creation of the first account without a prompt, because a deploy job cannot answer one."""

import secrets
import sys
from pathlib import Path
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

PASSWORD_BYTES = 18
"""Random bytes of a generated password, which has 24 characters."""


class Command(BaseCommand):
    help = (
        "Create the first administrator. A database that has an active one is left as it is. "
        "Without --password-file the password is generated and printed."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="name to log in with")
        parser.add_argument("--email", default="", help="address for password resets")
        parser.add_argument(
            "--password-file",
            metavar="FILE",
            help="file whose first line is the password, or - for standard input",
        )

    @transaction.atomic
    def handle(self, *, name: str, email: str, password_file: str | None, **options: Any) -> str:
        users = get_user_model()
        if users.objects.filter(is_superuser=True, is_active=True).exists():
            return "An administrator exists; no account was created."
        password = (
            read_password(password_file) if password_file else secrets.token_urlsafe(PASSWORD_BYTES)
        )
        user = users(username=name, email=email, is_staff=True, is_superuser=True)
        user.set_password(password)
        try:
            user.full_clean()
            validate_password(password, user)
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from error
        user.save()
        shown = "from the file" if password_file else password
        return f"Administrator: {name}\nPassword:      {shown}"


def read_password(file: str) -> str:
    """Return the first line of a file. Raises `CommandError` if it cannot be read or is empty."""
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text()
        password = text.partition("\n")[0].strip()
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"The password cannot be read from {file}.") from error
    if not password:
        raise CommandError(f"{file} has no password in its first line.")
    return password
