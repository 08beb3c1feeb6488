"""Reads the environment: what is missing stops the program, what is wrong is reported.

A wrong value falls back to the safe default and is kept as a complaint, which the system
checks turn into an error with an id and a hint (`site_mirror.checks`).
"""

import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, available_timezones

from django.core.exceptions import ImproperlyConfigured
from environ import Env
from msgspec import Struct, field

DATABASES = ("sqlite", "postgres", "postgresql")
CACHES = ("redis", "rediss")
OWN_MEMORY = "locmemcache://"
ORIGIN = re.compile(r"https?://([a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:]+\])(:[1-9][0-9]{0,4})?")
SIGNING_KEY = re.compile(r"MC4CAQAwBQYDK2VwBCIEI[A-P][A-Za-z0-9+/]{42}")
"""A private key's 48 bytes, of which the first 16 are always the same."""


class Complaint(Struct, frozen=True):
    """A variable whose value is not one of the allowed ones."""

    variable: str
    found: str
    allowed: str


class Environment(Struct):
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
        allowed = "sqlite:///FILE or postgres://USER:PASSWORD@HOST/NAME"
        found = self.address(name, default, DATABASES, allowed, Env.db_url_config)
        return (
            found
            if found.get("NAME") not in ("", None, ":memory:")
            else self.unnamed(name, default, allowed)
        )

    def unnamed(self, name: str, default: str, allowed: str) -> dict[str, Any]:
        self.complain(name, without_secrets(self.variables[name]), allowed)
        return dict(Env.db_url_config(default))

    def cache(self, name: str) -> dict[str, Any]:
        """Django's settings of the cache: the process's own memory unless told."""
        allowed = "redis://HOST:PORT/0, or leave it unset"
        return self.address(name, OWN_MEMORY, CACHES, allowed, Env.cache_url_config)

    def signing_key(self, name: str) -> str:
        """A private Ed25519 key (RFC 8410, in base64); nothing if there is none."""
        value = self.variables.get(name, "").strip()
        if value and not is_signing_key(value):
            self.complain(name, "…", "a line that “manage.py snapshot key” prints")
            return ""
        return value

    def address(
        self,
        name: str,
        default: str,
        schemes: tuple[str, ...],
        allowed: str,
        read: Callable[[str], Any],
    ) -> dict[str, Any]:
        """What an address says, or the default's, with a complaint, where it says nothing."""
        given = self.variables.get(name) or default
        try:
            if given == default or (urlsplit(given).scheme in schemes and valid_port(given)):
                return dict(read(given))
        except ValueError:
            pass
        self.complain(name, without_secrets(given), allowed)
        return dict(read(default))

    def complain(self, variable: str, found: str, allowed: str) -> None:
        self.complaints.append(Complaint(variable, found, allowed))


def valid_port(address: str) -> bool:
    """Whether a port, if there is one, is a number; raises `ValueError` where it is none."""
    return urlsplit(address).port != 0


def is_origin(value: str) -> bool:
    return ORIGIN.fullmatch(value) is not None


def is_signing_key(value: str) -> bool:
    return SIGNING_KEY.fullmatch(value) is not None


def without_secrets(address: str) -> str:
    """An address with neither user nor password, fit to be shown."""
    scheme, separator, rest = address.partition("://")
    return scheme + separator + rest.rpartition("@")[2]
