"""System checks: a wrong setting is an error with an id and a hint, not a surprise."""

from typing import Any

from django.conf import settings
from django.contrib import admin
from django.core.checks import CheckMessage, Error, Tags, register

IDS = {
    "DEBUG": "site_mirror.E001",
    "SITE_ROOT": "site_mirror.E002",
    "DATABASE_URL": "site_mirror.E003",
    "CACHE_URL": "site_mirror.E004",
    "TIME_ZONE": "site_mirror.E005",
    "RATE_LIMIT": "site_mirror.E006",
    "BEHIND_PROXY": "site_mirror.E007",
    "SNAPSHOT_SIGNING_KEY": "site_mirror.E009",
}
HOST_ID = "site_mirror.E008"
ENVIRONMENT = "environment"


@register(ENVIRONMENT)
def the_environment_has_allowed_values(app_configs: object, **options: Any) -> list[Error]:
    return [
        Error(
            f"{complaint.variable}={complaint.found!r} is not allowed.",
            hint=f"Set {complaint.variable} to {complaint.allowed}.",
            id=IDS[complaint.variable],
        )
        for complaint in settings.ENVIRONMENT.complaints
    ]


@register
def the_sites_own_host_is_answered(app_configs: object, **options: Any) -> list[Error]:
    """A live origin that refuses its own name answers nobody."""
    host = settings.SITE_HOST
    if host in settings.ALLOWED_HOSTS or "*" in settings.ALLOWED_HOSTS:
        return []
    hint = f"Add {host} to ALLOWED_HOSTS, or leave ALLOWED_HOSTS unset."
    return [Error(f"ALLOWED_HOSTS lacks the host of SITE_ROOT, {host}.", hint=hint, id=HOST_ID)]


@register(Tags.admin)
def the_admin_is_sound(app_configs: Any, **options: Any) -> list[CheckMessage]:
    """Of the whole admin, which only those load who serve or check it."""
    admin.autodiscover()
    return admin.site.check(app_configs)
