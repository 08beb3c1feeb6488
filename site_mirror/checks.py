"""System checks of the admin and of its static files."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib import admin
from django.contrib.staticfiles.finders import get_finders
from django.core.checks import CheckMessage, Tags, Warning, register  # noqa: A004  (Django's name)

STATIC_FILES_WARNING = "site_mirror.W001"


def load_admin() -> None:
    """Load the modules of the admin, which a freeze does not need."""
    # The class of the site is in the package of the forms, which registers them: a site that is
    # asked for before would be replaced by an empty one.
    import_module("catalogue.admin")
    admin.autodiscover()


@register(Tags.admin)
def the_admin_is_sound(app_configs: Any, **options: Any) -> list[CheckMessage]:
    """Run the checks of the whole admin."""
    load_admin()
    return admin.site.check(app_configs)


@register(Tags.staticfiles, deploy=True)
def static_files_are_collected(app_configs: object, **options: Any) -> list[Warning]:
    """Report missing files in `check --deploy` and at the start of the live origin."""
    missing = [] if settings.DEBUG else sorted(uncollected_files(Path(settings.STATIC_ROOT)))
    if not missing:
        return []
    return [
        Warning(
            f"{len(missing)} static files are missing in {settings.STATIC_ROOT}, "
            f"among them {missing[0]}. Without them the admin has no styles.",
            hint="Run “manage.py collectstatic --no-input”, then restart the live origin.",
            id=STATIC_FILES_WARNING,
        )
    ]


def uncollected_files(folder: Path) -> Iterator[str]:
    """Yield the names of files that an app has and the folder lacks."""
    for finder in get_finders():
        for name, _ in finder.list(None):
            if not (folder / name).is_file():
                yield name
