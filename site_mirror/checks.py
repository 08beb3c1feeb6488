"""System checks: each wrong setting is an error with an id and a hint."""

from typing import Any

from django.conf import settings
from django.contrib import admin
from django.core.checks import CheckMessage, Error, Tags, register

from site_mirror.faults import setting_faults

ENVIRONMENT_TAG = "environment"


@register(ENVIRONMENT_TAG)
def the_environment_has_allowed_values(app_configs: object, **options: Any) -> list[Error]:
    """Report wrong values if Django starts without `manage.py`, which refuses them."""
    return [
        Error(f"{fault.found}.", hint=f"{fault.remedy.capitalize()}.", id=fault.id)
        for fault in setting_faults(settings)
    ]


@register(Tags.admin)
def the_admin_is_sound(app_configs: Any, **options: Any) -> list[CheckMessage]:
    """Run the checks of the whole admin, whose modules a freeze does not load."""
    admin.autodiscover()
    return admin.site.check(app_configs)
