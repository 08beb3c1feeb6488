from importlib import import_module

from django.apps import AppConfig


class SiteMirrorConfig(AppConfig):
    name = "site_mirror"

    def ready(self) -> None:
        import_module("site_mirror.checks")
