"""The kinds of documents: each has links in other forms."""

from enum import Enum, auto


class DocumentKind(Enum):
    """The kind of a document: `LINES` have bare addresses, `OPAQUE` documents have no links."""

    HTML = auto()
    MARKDOWN = auto()
    JSON = auto()
    XML = auto()
    CSS = auto()
    LINES = auto()
    OPAQUE = auto()


KINDS_BY_MEDIA_TYPE = {
    "text/html": DocumentKind.HTML,
    "text/markdown": DocumentKind.MARKDOWN,
    "text/css": DocumentKind.CSS,
    "application/xml": DocumentKind.XML,
    "application/atom+xml": DocumentKind.XML,
}


def kind_of_document(media_type: str, body: bytes) -> DocumentKind:
    """Return the kind of a document; plain text with a title, such as `llms.txt`, is Markdown."""
    name = media_type.partition(";")[0]
    if name.endswith("json"):
        return DocumentKind.JSON
    if name == "text/plain":
        return DocumentKind.MARKDOWN if body.startswith(b"# ") else DocumentKind.LINES
    return KINDS_BY_MEDIA_TYPE.get(name, DocumentKind.OPAQUE)
