"""Reads the environment: what is missing stops the program, what is wrong is reported.

A wrong value falls back to the safe default and is kept as a complaint, which the system
checks turn into an error with an id and a hint (`site_mirror.checks`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, available_timezones

from django.core.exceptions import ImproperlyConfigured
from environ import Env

DATABASES = ("sqlite", "postgres", "postgresql")
CACHES = ("redis", "rediss")


@dataclass(frozen=True, slots=True)
class Complaint:
    """A variable whose value is not one of the allowed ones."""

    variable: str
    found: str
    allowed: str


@dataclass(slots=True)
class Environment:
    """Typed readers over the variables of a process."""

    variables: Mapping[str, str]
    complaints: list[Complaint] = field(default_factory=list)

    def switch(self, name: str, default: str = "0") -> bool:
        """`1` is on and `0` is off."""
        answer = self.variables.get(name, default)
        if answer not in ("0", "1"):
            self.complain(name, answer, "1 (on) or 0 (off)")
            answer = default
        return answer == "1"

    def required(self, name: str, instead: str | None, example: str) -> str:
        """A text that must be set; `instead` stands in where the caller allows it."""
        value = self.variables.get(name) or instead
        if value is None:
            raise ImproperlyConfigured(
                f"{name} is not set. Set it, for example {name}={example}, "
                "or set DEBUG=1 on a machine of your own."
            )
        return value

    def origin(self, name: str, instead: str | None) -> str:
        """Scheme, host and port without a final slash, for example https://studio.example."""
        value = self.required(name, instead, "https://studio.example").rstrip("/")
        if not is_origin(value):
            self.complain(name, value, "a scheme and a host, such as https://studio.example")
        return value

    def words(self, name: str, default: list[str]) -> list[str]:
        """Words separated by commas."""
        given = self.variables.get(name, "")
        return [word.strip() for word in given.split(",") if word.strip()] or default

    def time_zone(self, name: str, default: str) -> str:
        value = self.variables.get(name, default)
        if value not in available_timezones():
            self.complain(name, value, f"a name from the tz database, such as {default}")
            return default
        return ZoneInfo(value).key

    def database(self, name: str, default: str) -> dict[str, Any]:
        """Django's settings of a database from its address."""
        address = self.variables.get(name) or default
        if address.partition("://")[0] not in DATABASES:
            self.complain(name, without_secrets(address), "sqlite:///FILE or postgres://…/NAME")
            address = default
        return dict(Env.db_url_config(address))

    def cache(self, name: str) -> dict[str, Any]:
        """Django's settings of the cache: the process's own memory unless told."""
        address = self.variables.get(name) or "locmemcache://"
        if address.partition("://")[0] not in (*CACHES, "locmemcache"):
            self.complain(name, without_secrets(address), "redis://HOST:PORT/0, or leave it unset")
            address = "locmemcache://"
        return dict(Env.cache_url_config(address))

    def complain(self, variable: str, found: str, allowed: str) -> None:
        self.complaints.append(Complaint(variable, found, allowed))


def is_origin(value: str) -> bool:
    try:
        parts = urlsplit(value)
        named = bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
    rest = parts.path + parts.query + parts.fragment + (parts.username or "")
    return parts.scheme in ("http", "https") and named and not rest and value == value.lower()


def without_secrets(address: str) -> str:
    """An address with neither user nor password, fit to be shown."""
    scheme, separator, rest = address.partition("://")
    return scheme + separator + rest.rpartition("@")[2]
