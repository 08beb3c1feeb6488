"""A part of the gate `mirrors`: a file of joined texts says what its texts say.

In one text of Markdown an open comment hides what follows, and a label means the same everywhere.
"""

import re
from collections import Counter
from collections.abc import Iterator

from catalogue.texts.markdown.source import Reading, read

_NOTE = re.compile('<li id="fn-([^"]*)"')
_NEXT_TEXT = re.compile(r"\n---\n\n(?=# )")


def find_joining_faults(address: str, body: bytes) -> Iterator[str]:
    """Yield the differences between the whole file and its texts, each read by itself."""
    text = body.decode()
    texts = _NEXT_TEXT.split(text)
    whole = read(text, with_html=True)
    alone = [read(each, with_html=True) for each in texts]
    for name, of_all, of_each in (
        ("headings of the first level", _titles(whole), sum(map(_titles, alone))),
        ("footnotes", _notes(whole), sum(map(_notes, alone))),
    ):
        if of_all != of_each:
            yield f"{address} has {of_all} {name}, its texts have {of_each}"
    expected = Counter(target for each in alone for target in each.targets)
    for target in expected - Counter(whole.targets):
        (title, *_) = next(
            each.partition("\n")
            for each, found in zip(texts, alone, strict=True)
            if target in found.targets
        )
        yield f"{address} hides the link to {target} of the text “{title.removeprefix('# ')}”"


def _titles(reading: Reading) -> int:
    return reading.html.count("<h1>")


def _notes(reading: Reading) -> int:
    return len({*_NOTE.findall(reading.html)})
