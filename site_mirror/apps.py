from importlib import import_module

from django.apps import AppConfig
from django.contrib.admin.apps import SimpleAdminConfig
from django.contrib.admin.checks import check_dependencies
from django.core.checks import Tags, register


class SiteMirrorConfig(AppConfig):
    name = "site_mirror"
    default = True

    def ready(self) -> None:
        import_module("site_mirror.checks")


class AdminConfig(SimpleAdminConfig):
    """The admin; `site_mirror.urls` and the system checks load its modules, a freeze does not."""

    default = False
    default_site = "site_mirror.desk.admin_site.DeskSite"

    def ready(self) -> None:
        # Checks run in any order. Django's own check of the forms may find those of the catalogue
        # before the desk has them, so `site_mirror.checks` does its work.
        register(check_dependencies, Tags.admin)
