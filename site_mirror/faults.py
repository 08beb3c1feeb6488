"""Faults of the settings: each wrong variable has an id and a sentence.

This module imports no app, because commands use it before Django is set up.
"""

from django.conf import LazySettings
from msgspec import Struct

IDS = {
    "DEBUG": "site_mirror.E001",
    "SITE_ROOT": "site_mirror.E002",
    "DATABASE_URL": "site_mirror.E003",
    "CACHE_URL": "site_mirror.E004",
    "TIME_ZONE": "site_mirror.E005",
    "RATE_LIMIT": "site_mirror.E006",
    "BEHIND_PROXY": "site_mirror.E007",
    "ALLOWED_HOSTS": "site_mirror.E008",
    "SNAPSHOT_SIGNING_KEY": "site_mirror.E009",
    "SECRET_KEY": "site_mirror.E010",
    "HSTS_SECONDS": "site_mirror.E011",
    "HSTS_SUBDOMAINS": "site_mirror.E012",
    "EMAIL_URL": "site_mirror.E013",
    "EMAIL_FROM": "site_mirror.E014",
    "LOG_FORMAT": "site_mirror.E015",
    "ACCESS_LOG": "site_mirror.E016",
}


class SettingFault(Struct, frozen=True):
    """A variable with a value that is not allowed: what was found and what to do."""

    variable: str
    found: str
    remedy: str

    @property
    def id(self) -> str:
        return IDS[self.variable]

    def __str__(self) -> str:
        return f"{self.id}: {self.found}; {self.remedy}."


def setting_faults(settings: LazySettings) -> list[SettingFault]:
    """Return all faults of the variables that the settings were read from."""
    complaints = settings.ENVIRONMENT.complaints
    faults = [
        SettingFault(
            complaint.variable,
            f"{complaint.variable}={complaint.found!r} is not allowed",
            f"set {complaint.variable} to {complaint.allowed}",
        )
        for complaint in complaints
    ]
    variables = {complaint.variable for complaint in complaints}
    return (
        faults if variables & {"SITE_ROOT", "ALLOWED_HOSTS"} else [*faults, *host_faults(settings)]
    )


def host_faults(settings: LazySettings) -> list[SettingFault]:
    """Return a fault if ALLOWED_HOSTS lacks the host of SITE_ROOT: every request would get 400."""
    host, allowed = settings.SITE_HOST, settings.ALLOWED_HOSTS
    if any(name in ("*", host) or covers_host(name, host) for name in allowed):
        return []
    remedy = f"add {host} to ALLOWED_HOSTS, or leave ALLOWED_HOSTS unset"
    return [
        SettingFault("ALLOWED_HOSTS", f"ALLOWED_HOSTS lacks the host of SITE_ROOT, {host}", remedy)
    ]


def covers_host(name: str, host: str) -> bool:
    """Whether a name with a leading dot is a parent domain of the host."""
    return name.startswith(".") and f".{host}".endswith(name)
