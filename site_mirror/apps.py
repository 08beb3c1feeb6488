from collections.abc import Sequence
from importlib import import_module
from typing import Any

from django.apps import AppConfig, apps
from django.contrib.admin.apps import SimpleAdminConfig
from django.contrib.admin.checks import check_dependencies
from django.core.checks import Tags, register
from django.db.models.signals import post_migrate, post_save

DRAWN_TABLES = ("catalogue.App", "catalogue.Post", "catalogue.Tag")
"""Tables whose rows have pictures, which other sites show beside links to their pages."""


def draw_saved(instance: Any, **options: Any) -> None:
    import_module("site_mirror.sharing.pictures").draw(instance)


def draw_missing(using: str, plan: Sequence[Any] = (), **options: Any) -> None:
    """Draw what an older program did not, after a migration of the catalogue."""
    if plan:
        import_module("site_mirror.sharing.pictures").draw_missing(using)


class SiteMirrorConfig(AppConfig):
    name = "site_mirror"
    default = True

    def ready(self) -> None:
        import_module("site_mirror.checks")
        for table in DRAWN_TABLES:
            post_save.connect(draw_saved, sender=table)
        # Django sends the signal only for apps with models, after the catalogue has its triggers.
        post_migrate.connect(draw_missing, sender=apps.get_app_config("catalogue"))


class AdminConfig(SimpleAdminConfig):
    """The admin; `site_mirror.urls` and the system checks load its modules, a freeze does not."""

    default = False
    default_site = "site_mirror.desk.admin_site.DeskSite"

    def ready(self) -> None:
        # Checks run in any order. Django's own check of the forms may find those of the catalogue
        # before the desk has them, so `site_mirror.checks` does its work.
        register(check_dependencies, Tags.admin)
