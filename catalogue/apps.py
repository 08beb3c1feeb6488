from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in, user_login_failed
from django.db.models.signals import post_migrate, pre_migrate


class CatalogueConfig(AppConfig):
    name = "catalogue"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from catalogue import failed_log_ins, sessions, triggers  # noqa: PLC0415  (needs models)

        user_logged_in.connect(sessions.begin_session)
        user_login_failed.connect(failed_log_ins.report)
        pre_migrate.connect(triggers.remove, sender=self)
        post_migrate.connect(triggers.install, sender=self)
