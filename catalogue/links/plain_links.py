"""URIs in plain texts, which the site and the API show as they are typed."""

import re
from collections.abc import Iterator

URI_PATTERN = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://\S*")
"""A scheme (RFC 3986, section 3.1) and an authority."""
SIGNS_AROUND = "<>()[].,;:!?…\"'“”‘’"
"""Signs that may surround a URI in a sentence."""


def is_uri(text: str) -> bool:
    """Whether a whole text is a URI with a scheme and an authority."""
    return URI_PATTERN.fullmatch(text) is not None


def addresses_in(text: str) -> Iterator[str]:
    """Yield the words of a text that are URIs, without the signs around them."""
    for word in text.split():
        address = word.strip(SIGNS_AROUND)
        if is_uri(address):
            yield address
