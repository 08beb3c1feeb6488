from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in
from django.core.checks import Tags, register
from django.db.models.signals import post_migrate, pre_migrate


class CatalogueConfig(AppConfig):
    name = "catalogue"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Models must be loaded first.
        from catalogue.accounts import languages, sessions  # noqa: PLC0415
        from catalogue.triggers import checks, installing  # noqa: PLC0415

        user_logged_in.connect(sessions.begin_session)
        user_logged_in.connect(languages.begin_session)
        pre_migrate.connect(installing.prepare_migrations, sender=self)
        post_migrate.connect(installing.install_triggers, sender=self)
        register(checks.check_triggers, Tags.database)
