from importlib import import_module

from django.apps import AppConfig
from django.contrib.admin.apps import SimpleAdminConfig


class SiteMirrorConfig(AppConfig):
    name = "site_mirror"
    default = True

    def ready(self) -> None:
        import_module("site_mirror.checks")


class AdminConfig(SimpleAdminConfig):
    """The admin; `site_mirror.urls` and the system checks load its modules, a freeze does not."""

    default = False
    default_site = "site_mirror.desk.admin_site.DeskSite"
