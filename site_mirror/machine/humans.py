"""`/humans.txt`: who made the site. Source: humanstxt.org, by custom."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from catalogue import addresses
from catalogue.addresses import Site
from site_mirror.listing import Publisher

NAMES = {"en": "English", "vi": "Tiếng Việt"}


class Person(Struct, frozen=True):
    """Someone of the studio."""

    name: str
    role: str


def text(
    site: Site,
    publisher: Publisher,
    *,
    country: str,
    people: Iterable[Person],
    thanks: Sequence[str],
    languages: Sequence[str],
) -> bytes:
    team = [*(f"{person.name}: {person.role}" for person in people)]
    team += members({"Contact": publisher.email, "From": country})
    about = {
        "Name": publisher.name,
        "Address": site.url(addresses.HOME),
        "Languages": ", ".join(NAMES.get(code, code) for code in languages),
        "Standards": "HTML, CSS, Markdown, JSON, OpenAPI 3.1",
    }
    blocks = {"TEAM": team, "THANKS": list(thanks), "SITE": list(members(about))}
    return "\n".join(block(name, lines) for name, lines in blocks.items() if lines).encode()


def members(values: dict[str, str]) -> Iterator[str]:
    return (f"{name}: {value}" for name, value in values.items() if value)


def block(name: str, lines: Iterable[str]) -> str:
    return f"/* {name} */\n" + "".join(f"{line}\n" for line in lines)
