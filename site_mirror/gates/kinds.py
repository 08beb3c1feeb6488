"""What a document is, as far as its links go."""

from enum import Enum, auto


class Kind(Enum):
    """`LINES` are texts with bare addresses; what bears no link is `OPAQUE`."""

    HTML = auto()
    MARKDOWN = auto()
    JSON = auto()
    XML = auto()
    CSS = auto()
    LINES = auto()
    OPAQUE = auto()


KINDS = {
    "text/html": Kind.HTML,
    "text/markdown": Kind.MARKDOWN,
    "text/css": Kind.CSS,
    "application/xml": Kind.XML,
    "application/atom+xml": Kind.XML,
}


def kind_of(media_type: str, body: bytes) -> Kind:
    """Text that begins with a title is Markdown, as `llms.txt` is."""
    name = media_type.partition(";")[0]
    if name.endswith("json"):
        return Kind.JSON
    if name == "text/plain":
        return Kind.MARKDOWN if body.startswith(b"# ") else Kind.LINES
    return KINDS.get(name, Kind.OPAQUE)
