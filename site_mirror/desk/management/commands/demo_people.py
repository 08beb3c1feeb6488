from typing import Any

from django.contrib.auth.models import Group, User
from django.core.management.base import BaseCommand
from django.utils.crypto import salted_hmac

from site_mirror.desk.roles import RIGHTS

PASSWORD_CHARACTERS = 16


class Command(BaseCommand):
    help = (
        "Create an account of each role for a try on your own machine, and print names and "
        "passwords. A password that its owner has changed stays and is not printed."
    )

    def handle(self, **options: Any) -> str:
        return "\n".join([f"{'Name':15}Password", *map(demo_account, RIGHTS)])


def demo_account(role: str) -> str:
    """Return name and password of the account of a role, which is created if it is missing.

    The password can be printed again, because it depends on the secret key.
    """
    user, is_new = User.objects.get_or_create(username=role.lower(), defaults={"is_staff": True})
    digest = salted_hmac(__name__, role, algorithm="sha256").hexdigest()
    password = digest[:PASSWORD_CHARACTERS]
    if is_new:
        user.set_password(password)
        user.save()
        user.groups.set([Group.objects.get(name=role)])
    shown = password if user.check_password(password) else "one of your own"
    return f"{user.username:15}{shown}"
