from typing import Any

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in
from django.core.checks import Tags, register
from django.db.models.signals import post_migrate, pre_migrate
from django.utils.translation import gettext_lazy


class CatalogueConfig(AppConfig):
    name = "catalogue"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Models must be loaded first.
        from catalogue.accounts import sessions  # noqa: PLC0415
        from catalogue.triggers import checks, installing  # noqa: PLC0415

        self.translate_words()
        user_logged_in.connect(sessions.begin_session)
        pre_migrate.connect(installing.prepare_migrations, sender=self)
        post_migrate.connect(installing.install_triggers, sender=self)
        register(checks.check_triggers, Tags.database)

    def translate_words(self) -> None:
        """Translate the names and helps of models and fields wherever a page shows them.

        Django derives most names from the code, so none is marked; `locale/words` has all.
        """
        for model in self.get_models():
            meta: Any = model._meta
            meta.verbose_name_plural = gettext_lazy(meta.verbose_name_plural)
            for part in (meta, *meta.fields, *meta.many_to_many):
                part.verbose_name = gettext_lazy(part.verbose_name)
                if help_text := getattr(part, "help_text", ""):
                    part.help_text = gettext_lazy(help_text)
