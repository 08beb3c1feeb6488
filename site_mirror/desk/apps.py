from django.apps import AppConfig
from django.db.models.signals import post_migrate

from site_mirror.desk.roles import make_roles


class DeskConfig(AppConfig):
    """The editors' desk. Its tables are not content, so triggers ignore them."""

    name = "site_mirror.desk"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        post_migrate.connect(make_roles, sender=self)
