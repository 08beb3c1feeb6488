"""Django's settings of a database, a cache and a mail server from their URLs.

django-environ accepts more than the servers' clients do: what they would refuse with the first
query, request or message raises `ValueError` here.
"""

import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote_plus, urlsplit

from environ import Env

from site_mirror.host_names import has_wrong_brackets, is_host
from site_mirror.postgresql import are_valid_options, network_hosts

DATABASES = ("sqlite", "postgres", "postgresql")
CACHES = ("redis", "rediss")
MAIL_PORTS = {"smtp": 25, "smtp+tls": 587, "smtp+ssl": 465}
MAIL = (*MAIL_PORTS, "consolemail", "filemail")
OWN_MEMORY = "locmemcache://"
NO_MAIL = "dummymail://"
NOT_TEXT = re.compile("[\ud800-\udfff]")
"""The characters by which `os.environ` represents bytes that are not UTF-8."""
CONTROL = re.compile("[\x00-\x1f\x7f]")
MEMORY = ":memory:"
"""The name of an SQLite database that each process would have for itself."""
LONGEST_DATABASE = 63
"""Bytes of a PostgreSQL database's name."""
OPTION = re.compile(r"(?:^|&)([a-z_]{1,30})=")
AUTHORITY = re.compile(r"([^:\[\]]*|\[[^\]]*\])(:[0-9]{1,5})?")
"""A host with or without a port: a password in its place would have another form."""


def database_settings(address: str) -> dict[str, Any]:
    """Django's settings of a database.

    Raises `ValueError` without a name, with a name that PostgreSQL would cut, for a wrong host,
    and for options other than libpq's.
    """
    parts = urlsplit(address)
    if parts.scheme == "sqlite" and parts.netloc:
        raise ValueError(address)
    found = dict(Env.db_url_config(address))
    name, is_postgresql = found["NAME"], "postgres" in found["ENGINE"]
    if name in ("", None, MEMORY) or (is_postgresql and len(name.encode()) > LONGEST_DATABASE):
        raise ValueError(address)
    if parts.query:
        options = found.get("OPTIONS", {})
        # django-environ turns some names, such as `conn_max_age`, into settings instead of options.
        has_others = len(parse_qsl(parts.query, keep_blank_values=True)) != len(options)
        if has_others or not is_postgresql or not are_valid_options(options, found["HOST"]):
            raise ValueError(address)
    if is_postgresql and not all(map(is_host, network_hosts(found))):
        raise ValueError(address)
    return found


def cache_settings(address: str) -> dict[str, Any]:
    """Django's settings of a cache. Raises `ValueError` for options and for a wrong host."""
    parts = urlsplit(address)
    if address != OWN_MEMORY and not is_host(parts.hostname or ""):
        raise ValueError(address)
    if parts.query or not re.fullmatch(r"(/[0-9]{0,5})?", parts.path):
        raise ValueError(address)
    return dict(Env.cache_url_config(address))


def mail_settings(address: str) -> dict[str, Any]:
    """Django's settings of a mail server, or of what stands in for one.

    Raises `ValueError` for options, for a wrong host, and for a folder that is missing in the
    address or that cannot be one.
    """
    found = dict(Env.email_url_config(address))
    parts = urlsplit(address)
    has_folder = bool(found["EMAIL_FILE_PATH"])
    if parts.scheme in MAIL_PORTS:
        has_host = is_host(found["EMAIL_HOST"] or "")
        found["EMAIL_PORT"] = found["EMAIL_PORT"] or MAIL_PORTS[parts.scheme]
    else:
        has_host = not parts.netloc
    if parts.query or not has_host or has_folder != (parts.scheme == "filemail"):
        raise ValueError(address)
    if has_folder and not can_be_folder(Path(found["EMAIL_FILE_PATH"])):
        raise ValueError(address)
    return found


def can_be_folder(path: Path) -> bool:
    """Whether a path is a folder, or a folder can be made there.

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
    """Whether a text is an address with one of some schemes.

    Raises `ValueError` where it cannot be read.
    """
    is_text = not NOT_TEXT.search(value) and not CONTROL.search(unquote_plus(value))
    parts = urlsplit(value)
    is_form = "#" not in value and parts.port != 0 and not has_wrong_brackets(parts)
    return is_text and is_form and parts.scheme in schemes


def without_secrets(address: str) -> str:
    """The scheme, host, port and path of an address and the names of its options.

    “…” stands for the values of options, and for whatever may have a password in it.
    """
    scheme = address[: address.index("://") + 3] if "://" in address else ""
    before, *options = re.split("[?#]", address.removeprefix(scheme), maxsplit=1)
    _, user, shown = before.rpartition("@")
    is_authority = user or AUTHORITY.fullmatch(shown.partition("/")[0])
    if "@" in "".join(options) or not is_authority:
        return f"{scheme}…"
    names = OPTION.findall("".join(options))
    return f"{scheme}{shown}{'?' if names else ''}{'&'.join(f'{name}=…' for name in names)}"
