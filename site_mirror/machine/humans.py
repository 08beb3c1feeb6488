"""`/humans.txt`: the people behind the site. Source: humanstxt.org, which is not a standard."""

from collections.abc import Iterable, Iterator, Sequence

from catalogue import addresses
from catalogue.addresses import Site
from catalogue.texts.localized import LANGUAGE_NAMES
from site_mirror.documents.summaries import Publisher


def humans_txt(
    site: Site,
    publisher: Publisher,
    *,
    country: str,
    roles: Sequence[tuple[str, str]],
    thanks: Sequence[str],
    languages: Sequence[str],
) -> bytes:
    """Return the file; `roles` are the names of the team, each with its role."""
    team = [*field_lines([*roles, ("Contact", publisher.email), ("From", country)])]
    about = {
        "Name": publisher.name,
        "Address": site.url(addresses.HOME),
        "Languages": ", ".join(LANGUAGE_NAMES.get(code, code) for code in languages),
        "Standards": "HTML, CSS, Markdown, JSON, OpenAPI 3.1",
    }
    blocks = {"TEAM": team, "THANKS": list(thanks), "SITE": list(field_lines(about.items()))}
    return "\n".join(write_section(name, lines) for name, lines in blocks.items() if lines).encode()


def field_lines(values: Iterable[tuple[str, str]]) -> Iterator[str]:
    return (f"{name}: {value}" for name, value in values if value)


def write_section(name: str, lines: Iterable[str]) -> str:
    return f"/* {name} */\n" + "".join(f"{line}\n" for line in lines)
