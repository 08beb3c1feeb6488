"""Django's settings of a database, a cache and a mail server from their URLs.

django-environ accepts more than the clients of these servers. A value that a client would refuse
with its first query, request or message raises `ValueError` here.
"""

import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote_plus, urlsplit

from environ import Env

from site_mirror.host_names import has_wrong_brackets, is_host
from site_mirror.postgresql import are_valid_options, database_hosts

DATABASE_SCHEMES = ("sqlite", "postgres", "postgresql")
CACHE_SCHEMES = ("redis", "rediss")
MAIL_PORTS = {"smtp": 25, "smtp+tls": 587, "smtp+ssl": 465}
MAIL_SCHEMES = (*MAIL_PORTS, "consolemail", "filemail")
LOCAL_MEMORY_CACHE = "locmemcache://"
NO_MAIL_SERVER = "dummymail://"
SURROGATE = re.compile("[\ud800-\udfff]")
"""A character by which `os.environ` represents a byte that is not UTF-8."""
CONTROL_CHARACTER = re.compile("[\x00-\x1f\x7f]")
IN_MEMORY_DATABASE = ":memory:"
"""The name of an SQLite database that processes do not share."""
MAX_DATABASE_NAME_BYTES = 63
"""The limit of PostgreSQL, which cuts longer names."""
OPTION_NAME = re.compile(r"(?:^|&)([a-z_]{1,30})=")
AUTHORITY = re.compile(r"([^:\[\]]*|\[[^\]]*\])(:[0-9]{1,5})?")
"""A host with or without a port; a text of another form may be a password."""


def database_settings(address: str) -> dict[str, Any]:
    """Django's settings of a database.

    Raises `ValueError` without a name, with a name that PostgreSQL would cut, for a wrong host,
    and for options other than libpq's.
    """
    parts = urlsplit(address)
    if parts.scheme == "sqlite" and parts.netloc:
        raise ValueError(address)
    settings = dict(Env.db_url_config(address))
    name, is_postgresql = settings["NAME"], "postgres" in settings["ENGINE"]
    if name in ("", None, IN_MEMORY_DATABASE) or (
        is_postgresql and len(name.encode()) > MAX_DATABASE_NAME_BYTES
    ):
        raise ValueError(address)
    if parts.query:
        options = settings.get("OPTIONS", {})
        # django-environ turns some names, such as `conn_max_age`, into settings instead of options.
        has_others = len(parse_qsl(parts.query, keep_blank_values=True)) != len(options)
        if has_others or not is_postgresql or not are_valid_options(options, settings["HOST"]):
            raise ValueError(address)
    if is_postgresql and not all(map(is_host, database_hosts(settings))):
        raise ValueError(address)
    return settings


def cache_settings(address: str) -> dict[str, Any]:
    """Django's settings of a cache. Raises `ValueError` for options and for a wrong host."""
    parts = urlsplit(address)
    if address != LOCAL_MEMORY_CACHE and not is_host(parts.hostname or ""):
        raise ValueError(address)
    if parts.query or not re.fullmatch(r"(/[0-9]{0,5})?", parts.path):
        raise ValueError(address)
    return dict(Env.cache_url_config(address))


def mail_settings(address: str) -> dict[str, Any]:
    """Django's settings of a mail server, a folder or a console for mail.

    Raises `ValueError` for options, for a wrong host, and for a folder that is missing in the
    address or that cannot be one.
    """
    settings = dict(Env.email_url_config(address))
    parts = urlsplit(address)
    has_folder = bool(settings["EMAIL_FILE_PATH"])
    if parts.scheme in MAIL_PORTS:
        has_host = is_host(settings["EMAIL_HOST"] or "")
        settings["EMAIL_PORT"] = settings["EMAIL_PORT"] or MAIL_PORTS[parts.scheme]
    else:
        has_host = not parts.netloc
    if parts.query or not has_host or has_folder != (parts.scheme == "filemail"):
        raise ValueError(address)
    if has_folder and not can_be_folder(Path(settings["EMAIL_FILE_PATH"])):
        raise ValueError(address)
    return settings


def can_be_folder(path: Path) -> bool:
    """Whether a path is a folder, or can become one.

    The permissions are not checked, because commands run as other users than the origin.
    """
    try:
        nearest = next(each for each in (path, *path.parents) if each.exists())
    except PermissionError:
        return True
    except OSError:
        return False
    return nearest.is_dir()


def is_address(value: str, schemes: tuple[str, ...]) -> bool:
    """Whether a text is an address with one of the schemes.

    Raises `ValueError` for a text that cannot be parsed.
    """
    is_text = not SURROGATE.search(value) and not CONTROL_CHARACTER.search(unquote_plus(value))
    parts = urlsplit(value)
    is_form = "#" not in value and parts.port != 0 and not has_wrong_brackets(parts)
    return is_text and is_form and parts.scheme in schemes


def without_secrets(address: str) -> str:
    """The scheme, host, port and path of an address and the names of its options.

    “…” replaces the values of options and each part that may contain a password.
    """
    scheme = address[: address.index("://") + 3] if "://" in address else ""
    before, *options = re.split("[?#]", address.removeprefix(scheme), maxsplit=1)
    _, user, shown = before.rpartition("@")
    is_authority = user or AUTHORITY.fullmatch(shown.partition("/")[0])
    if "@" in "".join(options) or not is_authority:
        return f"{scheme}…"
    names = OPTION_NAME.findall("".join(options))
    return f"{scheme}{shown}{'?' if names else ''}{'&'.join(f'{name}=…' for name in names)}"
