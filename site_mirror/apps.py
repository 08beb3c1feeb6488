from django.apps import AppConfig


class SiteMirrorConfig(AppConfig):
    name = "site_mirror"

    def ready(self) -> None:
        from site_mirror import checks  # noqa: F401  (registers them)
