"""People of each role, and their browsers."""

from django.contrib.auth.models import Group, User
from django.test import Client

from site_mirror.desk.roles import ADMINISTRATOR, EDITOR, RIGHTS, WRITER

ANONYMOUS = "anonymous"
EVERYBODY = (ANONYMOUS, WRITER, EDITOR, ADMINISTRATOR)


def make_person(role: str, name: str = "") -> User:
    assert role in RIGHTS
    user = User.objects.create_user(name or role.lower(), is_staff=True)
    user.groups.add(Group.objects.get(name=role))
    return user


def browser_of(role: str, name: str = "") -> Client:
    client = Client()
    if role != ANONYMOUS:
        client.force_login(make_person(role, name))
    return client
