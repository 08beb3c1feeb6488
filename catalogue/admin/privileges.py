"""The rights of users, and whether one user may manage another.

In Django, an editor with the permission `change_user` can make any account a superuser and set any
password. Here an editor gives only rights that the editor has.
"""

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, Group, Permission, User
from django.db.models import Q, QuerySet

Editor = AbstractBaseUser | AnonymousUser


def is_superuser(editor: Editor) -> bool:
    return bool(getattr(editor, "is_superuser", False))


def permissions_of(user: Editor) -> QuerySet[Permission]:
    """Return the permissions of a user and of the user's groups, also of an inactive account."""
    if is_superuser(user):
        return Permission.objects.all()
    own = Q(user=user.pk) | Q(group__user=user.pk)
    return Permission.objects.filter(pk__in=Permission.objects.filter(own).values("pk"))


def has_permissions(editor: Editor, permissions: QuerySet[Permission]) -> bool:
    """Whether the editor has all of these permissions."""
    own = permissions_of(editor).values("pk")
    return is_superuser(editor) or not permissions.exclude(pk__in=own).exists()


def may_manage_user(editor: Editor, user: User) -> bool:
    """Whether the user has no right that the editor lacks.

    An editor who may set the password of an account could use its rights.
    """
    if user.is_superuser and not is_superuser(editor):
        return False
    return has_permissions(editor, permissions_of(user))


def may_manage_group(editor: Editor, group: Group) -> bool:
    return has_permissions(editor, group.permissions.all())


def grantable_groups(editor: Editor) -> QuerySet[Group]:
    """Return the groups that give no right that the editor lacks."""
    if is_superuser(editor):
        return Group.objects.all()
    beyond = Permission.objects.exclude(pk__in=permissions_of(editor).values("pk"))
    more = Group.objects.filter(permissions__in=beyond)
    return Group.objects.exclude(pk__in=more.values("pk"))
