from django.apps import AppConfig


class DeskConfig(AppConfig):
    """The editors' desk. Its tables are no content: no trigger sees them."""

    name = "site_mirror.desk"
    label = "desk"
    verbose_name = "Desk"
    default_auto_field = "django.db.models.BigAutoField"
