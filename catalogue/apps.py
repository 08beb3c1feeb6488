from django.apps import AppConfig
from django.db.models.signals import post_migrate, pre_migrate


class CatalogueConfig(AppConfig):
    name = "catalogue"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from catalogue import triggers  # noqa: PLC0415  (models must be loaded first)

        pre_migrate.connect(triggers.remove, sender=self)
        post_migrate.connect(triggers.install, sender=self)
