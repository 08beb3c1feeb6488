"""Reads the environment: what is missing stops the program, what is wrong is reported.

A wrong value falls back to the safe default and is kept as a complaint, which the system
checks turn into an error with an id and a hint (`site_mirror.checks`).
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
    CACHES,
    DATABASES,
    MAIL,
    NO_MAIL,
    NOT_TEXT,
    OWN_MEMORY,
    cache_settings,
    database_settings,
    is_address,
    mail_settings,
    without_secrets,
)

ORIGIN = re.compile(r"https?://([a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:]+\])(:[1-9][0-9]{0,4})?")
HOST = re.compile(r"\*|\.?[a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:]+\]")
"""A name of ALLOWED_HOSTS, without scheme and port."""
SECRET_LENGTH = 32
SECRET_VARIETY = 5
"""Characters that a secret key has at least, and how many of them differ."""
SECONDS = re.compile(r"0|[1-9][0-9]{0,9}")
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

    def one_of(self, name: str, allowed: Sequence[str]) -> str:
        """One of some words; the first is the default."""
        answer = self.variables.get(name, allowed[0])
        if answer not in allowed:
            self.complain(name, answer, " or ".join(allowed))
            answer = allowed[0]
        return answer

    def required(self, name: str, instead: str | None, example: str) -> str:
        """A text that must be set; `instead` stands in where the caller allows it."""
        value = self.variables.get(name) or instead
        if value is None:
            raise ImproperlyConfigured(
                f"{name} is not set. Set it, for example {name}={example}, "
                "or set DEBUG=1 on a machine of your own."
            )
        return value

    def secret(self, name: str, instead: str | None, example: str) -> str:
        """A text that must be set and be hard to guess, unless `instead` stands in for it."""
        value = self.required(name, instead, example)
        if instead is None and not is_hard_to_guess(value):
            allowed = f"at least {SECRET_LENGTH} characters, {SECRET_VARIETY} or more of them"
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
        given = self.variables.get(name, "")
        return [word.strip() for word in given.split(",") if word.strip()] or default

    def hosts(self, name: str, default: list[str]) -> list[str]:
        """Names of hosts, separated by commas. The default is not examined."""
        found = self.words(name, default)
        found = [host.lower() for host in found]
        if found != default and not all(map(is_allowed_host, found)):
            allowed = "names of hosts without scheme and port, separated by commas"
            self.complain(name, ",".join(map(without_secrets, found)), allowed)
        return found

    def time_zone(self, name: str, default: str) -> str:
        value = self.variables.get(name, default)
        if value not in available_timezones():
            self.complain(name, value, f"a name from the tz database, such as {default}")
            return default
        return ZoneInfo(value).key

    def database(self, name: str, default: str) -> dict[str, Any]:
        """Django's settings of a database from its address."""
        allowed = "sqlite:///FILE or postgres://USER:PASSWORD@HOST/NAME, with options of libpq"
        return self.address(name, default, DATABASES, allowed, database_settings)

    def cache(self, name: str) -> dict[str, Any]:
        """Django's settings of the cache: the process's own memory unless told."""
        allowed = "redis://HOST:PORT/0, or leave it unset"
        return self.address(name, OWN_MEMORY, CACHES, allowed, cache_settings)

    def mail(self, name: str) -> dict[str, Any]:
        """Django's settings of the mail server; without one, mail is not sent."""
        servers = "smtp+tls://USER:PASSWORD@HOST:PORT, consolemail:// or filemail:////FOLDER"
        allowed = f"{servers}, or leave it unset"
        return self.address(name, NO_MAIL, MAIL, allowed, mail_settings)

    def mail_address(self, name: str, default: str) -> str:
        """One e-mail address. An unset variable has the default, which is not examined."""
        value = self.variables.get(name) or default
        if value != default and not is_mail_address(value):
            self.complain(name, value, "an e-mail address, such as studio@studio.example")
            return default
        return value

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
            if given == default or is_address(given, schemes):
                return dict(read(given))
        except ValueError:
            pass
        self.complain(name, without_secrets(given), allowed)
        return dict(read(default))

    def complain(self, variable: str, found: str, allowed: str) -> None:
        self.complaints.append(Complaint(variable, found, allowed))


def is_allowed_host(name: str) -> bool:
    """Whether Django can compare a name, or a domain with a leading dot, with a request's host."""
    bare = name[1:-1] if name.startswith("[") else name.removeprefix(".")
    return HOST.fullmatch(name) is not None and (name == "*" or is_host(bare))


def is_origin(value: str) -> bool:
    try:
        parts = urlsplit(value)
        is_form = ORIGIN.fullmatch(value) is not None and parts.port != 0
        return is_form and is_host(parts.hostname or "")
    except ValueError:
        return False


def host_of(origin: str) -> str:
    """The host of an origin as a request's `Host` has it: an IPv6 address is in brackets."""
    host = urlsplit(origin).hostname or ""
    return f"[{host}]" if ":" in host else host


def is_hard_to_guess(secret: str) -> bool:
    """Whether a secret is long and varied. Bytes that are not UTF-8 could not sign anything."""
    varied = len(secret) >= SECRET_LENGTH and len(set(secret)) >= SECRET_VARIETY
    return varied and not NOT_TEXT.search(secret)


def is_mail_address(value: str) -> bool:
    try:
        validate_email(value)
    except ValidationError:
        return False
    return True


def is_signing_key(value: str) -> bool:
    return SIGNING_KEY.fullmatch(value) is not None
