"""The roles of people at the desk: groups whose rights `manage.py migrate` sets.

A right to change content is a right to write drafts of it. Only with `MAY_PUBLISH` do rows change.
"""

from typing import Any

from django.apps.registry import Apps
from django.apps.registry import apps as present_apps
from django.db.models import Q
from django.utils.translation import gettext_noop

WRITER, EDITOR = gettext_noop("Writer"), gettext_noop("Editor")
ADMINISTRATOR = gettext_noop("Administrator")
MAY_PUBLISH, MAY_READ = "desk.publish_draft", "catalogue.view_post"

PARTS_OF_ROWS = ("symbol", "timelinelink", "formerappslug", "formerpostslug", "formertagslug")
"""Models whose rows are parts of a form, so that a draft can be without them."""

CONTENT = Q(content_type__app_label="catalogue") & ~Q(content_type__model="revision")
WRITING = CONTENT & (~Q(codename__startswith="delete_") | Q(content_type__model__in=PARTS_OF_ROWS))
PUBLISHING = CONTENT | Q(content_type__app_label="desk", codename="publish_draft")
RIGHTS = {
    WRITER: WRITING,
    EDITOR: PUBLISHING,
    ADMINISTRATOR: PUBLISHING | Q(content_type__app_label="auth", content_type__model="user"),
}
"""The permissions of each role; a later one has those of the former."""


def make_roles(sender: Any, using: str, apps: Apps = present_apps, **options: Any) -> None:
    """Make the groups of roles and set their rights (a receiver of `post_migrate`).

    Permissions of a new database exist only after all migrations, so no migration can do this.
    """
    try:
        groups = apps.get_model("auth", "Group")._default_manager.using(using)
        permissions = apps.get_model("auth", "Permission")._default_manager.using(using)
    except LookupError:
        return  # Only some of the tables exist.
    for name, rights in RIGHTS.items():
        role, _ = groups.get_or_create(name=name)
        role.permissions.set(permissions.filter(rights))
