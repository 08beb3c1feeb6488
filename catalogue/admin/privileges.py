"""The rights of users, and whether one user may manage another.

In Django, an editor with the permission `change_user` can make any account a superuser and set any
password. Here an editor gives only rights that the editor has.
"""

from django.contrib.auth.models import AnonymousUser, Group, Permission, User
from django.db.models import Q, QuerySet

Editor = User | AnonymousUser


def permissions_of(user: Editor) -> QuerySet[Permission]:
    """Return the permissions of a user and of the user's groups, also of an inactive account."""
    if user.is_superuser:
        return Permission.objects.all()
    own = Q(user=user.pk) | Q(group__user=user.pk)
    return Permission.objects.filter(pk__in=Permission.objects.filter(own).values("pk"))


def may_manage(editor: Editor, user: User) -> bool:
    """Whether a user has no right that the editor lacks.

    An editor who may set the password of an account could use its rights.
    """
    if editor.is_superuser:
        return True
    own = permissions_of(editor).values("pk")
    return not user.is_superuser and not permissions_of(user).exclude(pk__in=own).exists()


def grantable_groups(editor: Editor) -> QuerySet[Group]:
    """Return the groups that give no right that the editor lacks."""
    beyond = Permission.objects.exclude(pk__in=permissions_of(editor).values("pk"))
    return Group.objects.exclude(permissions__in=beyond)
