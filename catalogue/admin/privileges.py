"""Rights that a user has, and whether one user may decide about another.

In Django, an editor with the permission `change_user` can make any account a superuser and set any
password. Here an editor gives only rights of his own.
"""

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, Group, Permission, User
from django.db.models import Q, QuerySet

Editor = AbstractBaseUser | AnonymousUser


def is_superuser(editor: Editor) -> bool:
    return bool(getattr(editor, "is_superuser", False))


def held(user: Editor) -> QuerySet[Permission]:
    """The permissions of a user, those of groups included, whether or not the account is active."""
    if is_superuser(user):
        return Permission.objects.all()
    own = Q(user=user.pk) | Q(group__user=user.pk)
    return Permission.objects.filter(pk__in=Permission.objects.filter(own).values("pk"))


def covers(editor: Editor, permissions: QuerySet[Permission]) -> bool:
    """Whether the editor has all of these permissions himself."""
    own = held(editor).values("pk")
    return is_superuser(editor) or not permissions.exclude(pk__in=own).exists()


def may_manage_user(editor: Editor, user: User) -> bool:
    """Whether the user has no right that the editor lacks: who sets a password has the account."""
    if user.is_superuser and not is_superuser(editor):
        return False
    return covers(editor, held(user))


def may_manage_group(editor: Editor, group: Group) -> bool:
    return covers(editor, group.permissions.all())


def groups_to_give(editor: Editor) -> QuerySet[Group]:
    """The groups that give no right that the editor lacks."""
    if is_superuser(editor):
        return Group.objects.all()
    beyond = Permission.objects.exclude(pk__in=held(editor).values("pk"))
    more = Group.objects.filter(permissions__in=beyond)
    return Group.objects.exclude(pk__in=more.values("pk"))
