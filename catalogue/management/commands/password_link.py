from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser

SECONDS_PER_HOUR = 3600


class Command(BaseCommand):
    help = (
        "Print a link with which an editor sets a password: for a new account, or for a forgotten "
        "password where the site sends no mail. It works once; hand it over in a safe way."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username", help="user name of the account")

    def handle(self, *, username: str, **options: Any) -> str:
        from catalogue.admin.passwords import password_link  # noqa: PLC0415  (loads the admin)

        user = User.objects.filter(username=username).first()
        if user is None:
            raise CommandError(f"There is no account with the user name “{username}”.")
        if not user.is_active:
            raise CommandError(f"The account “{username}” is not active.")
        hours = settings.PASSWORD_RESET_TIMEOUT // SECONDS_PER_HOUR
        self.stderr.write(f"This link sets the password of “{username}”, once, for {hours} hours:")
        return password_link(user)
