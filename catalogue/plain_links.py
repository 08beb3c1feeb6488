"""Find addresses in plain texts. The site and the API show such texts as they are typed."""

import re
from collections.abc import Iterator

ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://\S*")
"""A scheme (RFC 3986, section 3.1) and an authority."""
AROUND = "<>()[].,;:!?…\"'“”‘’"
"""Signs around an address in a sentence."""


def is_address(text: str) -> bool:
    """Whether a whole text is an address with a scheme."""
    return ADDRESS.fullmatch(text) is not None


def addresses_in(text: str) -> Iterator[str]:
    """The words of a text that are addresses, without the signs around them."""
    for word in text.split():
        address = word.strip(AROUND)
        if is_address(address):
            yield address
