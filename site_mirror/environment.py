"""Typed settings from the environment.

A missing required variable raises `ImproperlyConfigured`. A wrong value is replaced by a safe
default and recorded as a complaint, which `site_mirror.faults` turns into an error with an id.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, available_timezones

from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.core.validators import validate_email
from msgspec import Struct, field

from site_mirror.host_names import is_host
from site_mirror.service_urls import (
    CACHE_SCHEMES,
    DATABASE_SCHEMES,
    LOCAL_MEMORY_CACHE,
    MAIL_SCHEMES,
    NO_MAIL_SERVER,
    SURROGATE,
    cache_settings,
    database_settings,
    is_address,
    mail_settings,
    without_secrets,
)

ORIGIN = re.compile(r"https?://([a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:]+\])(:[1-9][0-9]{0,4})?")
ALLOWED_HOST = re.compile(r"\*|\.?[a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:]+\]")
"""A name of ALLOWED_HOSTS, without scheme and port."""
MIN_SECRET_CHARACTERS = 32
MIN_SECRET_VARIETY = 5
"""The least number of characters of a secret key, and of different ones among them."""
SECONDS = re.compile(r"0|[1-9][0-9]{0,9}")
SIGNING_KEY = re.compile(r"MC4CAQAwBQYDK2VwBCIEI[A-P][A-Za-z0-9+/]{42}")
"""A private key's 48 bytes, of which the first 16 are always the same."""


class Complaint(Struct, frozen=True):
    """A variable whose value is not one of the allowed ones."""

    variable: str
    found: str
    allowed: str


class Environment(Struct):
    """The variables of a process, with a reader for each type of value."""

    variables: Mapping[str, str]
    complaints: list[Complaint] = field(default_factory=list)

    def switch(self, name: str, default: str = "0") -> bool:
        """A boolean: `1` is on and `0` is off."""
        answer = self.variables.get(name, default)
        if answer not in ("0", "1"):
            self.complain(name, answer, "1 (on) or 0 (off)")
            answer = default
        return answer == "1"

    def one_of(self, name: str, allowed: Sequence[str]) -> str:
        """One of the allowed words, of which the first is the default."""
        answer = self.variables.get(name, allowed[0])
        if answer not in allowed:
            self.complain(name, answer, " or ".join(allowed))
            answer = allowed[0]
        return answer

    def required(self, name: str, instead: str | None, example: str) -> str:
        """A text that must be set, unless `instead` is a value to use in its place."""
        value = self.variables.get(name) or instead
        if value is None:
            raise ImproperlyConfigured(
                f"{name} is not set. Set it, for example {name}={example}, "
                "or set DEBUG=1 on a machine of your own."
            )
        return value

    def secret(self, name: str, instead: str | None, example: str) -> str:
        """A text that must be set and hard to guess, unless `instead` is a value to use."""
        value = self.required(name, instead, example)
        if instead is None and not is_hard_to_guess(value):
            allowed = (
                f"at least {MIN_SECRET_CHARACTERS} characters, {MIN_SECRET_VARIETY} or more of them"
            )
            self.complain(name, "…", f"{allowed} different, such as {example}")
        return value

    def seconds(self, name: str, default: int) -> int:
        """A length of time as a whole number of seconds; 0 is allowed."""
        value = self.variables.get(name, str(default))
        if not SECONDS.fullmatch(value):
            self.complain(name, value, f"a whole number of seconds, such as {default}")
            return default
        return int(value)

    def origin(self, name: str, instead: str | None) -> str:
        """Scheme, host and port without a final slash, for example https://studio.example."""
        value = self.required(name, instead, "https://studio.example").rstrip("/")
        if not is_origin(value):
            self.complain(
                name, without_secrets(value), "a scheme and a host, such as https://studio.example"
            )
            return "https://studio.example"
        return value

    def words(self, name: str, default: list[str]) -> list[str]:
        """Words separated by commas."""
        value = self.variables.get(name, "")
        return [word.strip() for word in value.split(",") if word.strip()] or default

    def hosts(self, name: str, default: list[str]) -> list[str]:
        """Names of hosts, separated by commas. The default is not examined."""
        names = [host.lower() for host in self.words(name, default)]
        if names != default and not all(map(is_allowed_host, names)):
            allowed = "names of hosts without scheme and port, separated by commas"
            self.complain(name, ",".join(map(without_secrets, names)), allowed)
        return names

    def time_zone(self, name: str, default: str) -> str:
        value = self.variables.get(name, default)
        if value not in available_timezones():
            self.complain(name, value, f"a name from the tz database, such as {default}")
            return default
        return ZoneInfo(value).key

    def database(self, name: str, default: str) -> dict[str, Any]:
        """Django's settings of a database from its address."""
        allowed = "sqlite:///FILE or postgres://USER:PASSWORD@HOST/NAME, with options of libpq"
        return self.address(name, default, DATABASE_SCHEMES, allowed, database_settings)

    def cache(self, name: str) -> dict[str, Any]:
        """Django's settings of the cache: by default the memory of the process."""
        allowed = "redis://HOST:PORT/0, or leave it unset"
        return self.address(name, LOCAL_MEMORY_CACHE, CACHE_SCHEMES, allowed, cache_settings)

    def mail(self, name: str) -> dict[str, Any]:
        """Django's settings of the mail server; without one, mail is not sent."""
        servers = "smtp+tls://USER:PASSWORD@HOST:PORT, consolemail:// or filemail:////FOLDER"
        allowed = f"{servers}, or leave it unset"
        return self.address(name, NO_MAIL_SERVER, MAIL_SCHEMES, allowed, mail_settings)

    def mail_address(self, name: str, default: str) -> str:
        """One e-mail address. An unset variable has the default, which is not examined."""
        value = self.variables.get(name) or default
        if value != default and not is_mail_address(value):
            self.complain(name, value, "an e-mail address, such as studio@studio.example")
            return default
        return value

    def signing_key(self, name: str) -> str:
        """A private Ed25519 key (RFC 8410, in base64); empty if it is not set."""
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
        """The settings that `read` makes of an address; of a wrong one, those of the default."""
        value = self.variables.get(name) or default
        try:
            if value == default or is_address(value, schemes):
                return dict(read(value))
        except ValueError:
            pass
        self.complain(name, without_secrets(value), allowed)
        return dict(read(default))

    def complain(self, variable: str, found: str, allowed: str) -> None:
        self.complaints.append(Complaint(variable, found, allowed))


def is_allowed_host(name: str) -> bool:
    """Whether Django can compare a name, or a domain with a leading dot, with a request's host."""
    bare = name[1:-1] if name.startswith("[") else name.removeprefix(".")
    return ALLOWED_HOST.fullmatch(name) is not None and (name == "*" or is_host(bare))


def is_origin(value: str) -> bool:
    try:
        parts = urlsplit(value)
        is_form = ORIGIN.fullmatch(value) is not None and parts.port != 0
        return is_form and is_host(parts.hostname or "")
    except ValueError:
        return False


def host_of_origin(origin: str) -> str:
    """The host of an origin as a request's `Host` has it: an IPv6 address is in brackets."""
    host = urlsplit(origin).hostname or ""
    return f"[{host}]" if ":" in host else host


def is_hard_to_guess(secret: str) -> bool:
    """Whether a secret is long and varied; Django cannot sign with bytes that are not UTF-8."""
    varied = len(secret) >= MIN_SECRET_CHARACTERS and len(set(secret)) >= MIN_SECRET_VARIETY
    return varied and not SURROGATE.search(secret)


def is_mail_address(value: str) -> bool:
    try:
        validate_email(value)
    except ValidationError:
        return False
    return True


def is_signing_key(value: str) -> bool:
    return SIGNING_KEY.fullmatch(value) is not None
