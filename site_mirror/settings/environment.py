"""Readers of the environment, one for each type of setting.

A setting that is missing or wrong raises `ImproperlyConfigured` with one sentence, which names the
setting, what was found and what is allowed. An empty variable is the same as none.
"""

import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import ParseResult, urlparse, urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.core.validators import validate_email
from django.http.request import split_domain_port, validate_host
from environ import Env

MIN_SECRET_CHARACTERS, MIN_SECRET_VARIETY = 32, 5
"""The least number of characters of a secret key, and of different ones among them."""
MAIL_PORTS = {"smtp": 25, "smtp+tls": 587, "smtp+ssl": 465}


def find(name: str, default: str) -> str:
    return os.environ.get(name) or default


def wrong_setting(name: str, found: str, allowed: str) -> ImproperlyConfigured:
    return ImproperlyConfigured(f"{name}={found!r} is not allowed; set {name} to {allowed}.")


def switch(name: str, *, default: bool = False) -> bool:
    """A boolean: 1 is on and 0 is off; other words might be meant as either."""
    return one_of(name, ("1", "0") if default else ("0", "1")) == "1"


def one_of(name: str, allowed: Sequence[str]) -> str:
    """One of the allowed words, of which the first is the default."""
    value = find(name, allowed[0])
    if value not in allowed:
        raise wrong_setting(name, value, " or ".join(allowed))
    return value


def required(name: str, instead: str | None, example: str) -> str:
    """A text that must be set, unless there is a value to use in its place."""
    value = os.environ.get(name) or instead
    if value is None:
        raise ImproperlyConfigured(
            f"{name} is not set. Set it, for example {name}={example}, "
            "or set DEBUG=1 on a machine of your own."
        )
    return value


def secret(name: str, instead: str | None, example: str) -> str:
    """A text that must be set and hard to guess, unless there is a value to use in its place."""
    value = required(name, instead, example)
    is_hard = len(value) >= MIN_SECRET_CHARACTERS and len(set(value)) >= MIN_SECRET_VARIETY
    if instead is None and not is_hard:
        allowed = f"{MIN_SECRET_CHARACTERS} characters, {MIN_SECRET_VARIETY} or more of them"
        raise wrong_setting(name, "…", f"at least {allowed} different, such as {example}")
    return value


def count(name: str, default: int, unit: str) -> int:
    """A whole number of a unit, such as seconds; 0 is allowed."""
    value = find(name, str(default))
    if not re.fullmatch("[0-9]{1,10}", value):
        raise wrong_setting(name, value, f"a whole number of {unit}, such as {default}")
    return int(value)


def path(name: str, default: Path) -> Path:
    """An absolute path, because processes have other working directories."""
    value = Path(find(name, str(default)))
    if not value.is_absolute():
        raise wrong_setting(name, str(value), "an absolute path, such as /srv/studio/site")
    return value


def time_zone(name: str, default: str) -> str:
    value = find(name, default)
    try:
        ZoneInfo(value)  # To list all names takes a tenth of a freeze that changes nothing.
    except (ZoneInfoNotFoundError, ValueError, OSError) as fault:
        allowed = f"a name from the tz database, such as {default}"
        raise wrong_setting(name, value, allowed) from fault
    return value


def origin(name: str, instead: str | None) -> str:
    """Scheme, host and port, such as https://studio.example."""
    value = required(name, instead, "https://studio.example").removesuffix("/")
    if not is_origin(value):
        allowed = "a scheme and a host in lower case, such as https://studio.example"
        raise wrong_setting(name, value, allowed)
    return value


def is_origin(value: str) -> bool:
    try:
        parts = urlsplit(value)
        is_address = parts.scheme in ("http", "https") and parts.port != 0
    except ValueError:
        return False
    is_whole = value == f"{parts.scheme}://{parts.netloc}".lower()
    return is_address and is_whole and split_domain_port(parts.netloc)[0] != ""


def host_of_origin(address: str) -> str:
    """The host of an origin as a request's `Host` has it: an IPv6 address is in brackets."""
    return split_domain_port(urlsplit(address).netloc)[0]


def hosts(name: str, own: str) -> list[str]:
    """Names of hosts as Django compares them with `Host`, the site's own among them."""
    words = find(name, own).lower().split(",")
    names = [word.strip() for word in words if word.strip()]
    if not validate_host(own, names):
        allowed = (
            "names of hosts without scheme and port, separated by commas, with the host of "
            f"SITE_ROOT, {own}, among them, or leave it unset"
        )
        raise wrong_setting(name, ",".join(names), allowed)
    return names


def mail_address(name: str, default: str) -> str:
    """An e-mail address; the default is not examined, because it may be one of this machine."""
    value = find(name, default)
    try:
        if value != default:
            validate_email(value)
    except ValidationError as fault:
        allowed = "an e-mail address, such as studio@studio.example"
        raise wrong_setting(name, value, allowed) from fault
    return value


def database(name: str, default: str) -> dict[str, Any]:
    allowed = "sqlite:///FILE or postgres://USER:PASSWORD@HOST/NAME, with options of libpq"
    return service(name, default, database_settings, allowed)


def cache(name: str) -> dict[str, Any]:
    """Django's settings of the cache: by default the memory of the process."""
    allowed = "redis://HOST:PORT/0, or leave it unset"
    return service(name, "locmemcache://", cache_settings, allowed)


def mail(name: str) -> dict[str, Any]:
    """Django's settings of the mail server; without one, mail is not sent."""
    servers = "smtp+tls://USER:PASSWORD@HOST:PORT, consolemail:// or filemail:////FOLDER"
    return service(name, "dummymail://", mail_settings, f"{servers}, or leave it unset")


def service(
    name: str, default: str, read: Callable[[ParseResult], dict[str, Any]], allowed: str
) -> dict[str, Any]:
    """Django's settings that `read` makes of an address, or none of a wrong one.

    The message does not repeat what follows the scheme, because a password may be in it.
    """
    value = find(name, default)
    try:
        url = urlparse(value)
        settings = read(url) if url.port != 0 else {}
    except ValueError:
        settings = {}
    if not settings:
        scheme, separator, _ = value.partition("://")
        raise wrong_setting(name, f"{scheme}://…" if separator else "…", allowed)
    return settings


def database_settings(url: ParseResult) -> dict[str, Any]:
    """Django's settings of a database that processes share."""
    # django-environ ignores host and options of a file: a slash is missing, or they do nothing.
    is_file = url.scheme == "sqlite" and not url.netloc and not url.query
    if not is_file and url.scheme not in ("postgres", "postgresql"):
        return {}
    settings = dict(Env.db_url_config(url))
    return settings if settings["NAME"] not in ("", ":memory:") else {}


def cache_settings(url: ParseResult) -> dict[str, Any]:
    is_server = url.scheme in ("redis", "rediss") and url.hostname and not url.query
    return dict(Env.cache_url_config(url)) if is_server or url.scheme == "locmemcache" else {}


def mail_settings(url: ParseResult) -> dict[str, Any]:
    if url.scheme in MAIL_PORTS:
        is_whole = bool(url.hostname) and not url.path
    elif url.scheme == "filemail":
        is_whole = not url.netloc and url.path.startswith("//")
    else:
        is_whole = url.scheme in ("consolemail", "dummymail") and not url.netloc
    if not is_whole or url.query:
        return {}
    settings = dict(Env.email_url_config(url))
    return settings | {"EMAIL_PORT": url.port or MAIL_PORTS.get(url.scheme)}
