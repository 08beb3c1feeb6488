from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser

from site_mirror.desk.second_step import remove_second_step


class Command(BaseCommand):
    help = (
        "Remove the second step of a log-in for somebody who has lost the app and the recovery "
        "codes. Make sure who asks for it: afterwards the password is enough."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username", help="user name of the account")

    def handle(self, *, username: str, **options: Any) -> str:
        user = User.objects.filter(username=username).first()
        if user is None:
            raise CommandError(f"There is no account with the user name “{username}”.")
        if not remove_second_step(user):
            return f"“{username}” had no second step."
        return f"“{username}” logs in with the password alone, and can set a new second step up."
