"""All posts in short, read once for all that lists them.

They are held as bytes, one post a line, and decoded while somebody looks at them: a hundred
thousand rows as objects would be most of what a freeze needs in memory.
"""

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import lru_cache
from io import BytesIO

import orjson

from catalogue import questions
from catalogue.localized import LANGUAGES
from catalogue.questions import PostCard
from site_mirror.context import Context
from site_mirror.pages.texts import written

Label = tuple[str, str, int]
"""A list of posts: a language, and what of: everything, a year, or a tag by its key."""
ALL, YEAR, TAG = "all", "year", "tag"


@dataclass(frozen=True, slots=True)
class Cards:
    """Some posts in short, in the order of their list; cheap to hand over to a process."""

    lines: bytes
    count: int

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[PostCard]:
        return map(decoded, BytesIO(self.lines))


@dataclass(frozen=True, slots=True)
class Shelf:
    """Posts, the newest first, one a line, and the tags of each by their keys.

    `ends` are where lines end, in bytes; `lists` are numbers of lines.
    """

    lines: bytes
    ends: Sequence[int]
    lists: Mapping[Label, Sequence[int]]
    tags: Mapping[int, Sequence[int]]

    def count(self, label: Label) -> int:
        return len(self.lists.get(label, ()))

    def each(self, label: Label) -> Iterator[PostCard]:
        return map(decoded, self.told(label))

    def cards(self, label: Label) -> Cards:
        return Cards(b"".join(self.told(label)), self.count(label))

    def told(self, label: Label) -> Iterator[bytes]:
        ends = self.ends
        for number in self.lists.get(label, ()):
            yield self.lines[ends[number] : ends[number + 1]]

    def years(self, language: str) -> list[int]:
        """Those with posts in a language, the newest first."""
        return [number for told, what, number in self.lists if (told, what) == (language, YEAR)]


@dataclass(slots=True)
class Filling:
    """A shelf in the making."""

    lines: BytesIO = field(default_factory=BytesIO)
    ends: "array[int]" = field(default_factory=lambda: array("Q", [0]))
    lists: dict[Label, "array[int]"] = field(default_factory=dict)

    def add(self, card: PostCard, tags: Iterable[int]) -> None:
        number = len(self.ends) - 1
        for language in LANGUAGES:
            if written(card, "title", language):
                for label in labels(language, card.date.year, tags):
                    self.lists.setdefault(label, array("L")).append(number)
        self.lines.write(encoded(card))
        self.ends.append(self.lines.tell())


def labels(language: str, year: int, tags: Iterable[int]) -> list[Label]:
    return [(language, ALL, 0), (language, YEAR, year), *((language, TAG, tag) for tag in tags)]


def encoded(card: PostCard) -> bytes:
    return orjson.dumps(tuple(card), option=orjson.OPT_APPEND_NEWLINE)


def decoded(line: bytes) -> PostCard:
    *texts, moment, day = orjson.loads(line)
    moments = datetime.fromisoformat(moment), date.fromisoformat(day)
    return PostCard._make((*texts, *moments))


@lru_cache(maxsize=1)
def shelf(context: Context) -> Shelf:
    tags, filling = questions.tags_by_post(), Filling()
    for key, card in questions.post_cards(context.at):
        filling.add(card, tags.get(key, ()))
    return Shelf(filling.lines.getvalue(), filling.ends, filling.lists, tags)


@dataclass(frozen=True, slots=True)
class Shelved:
    """As a source: the posts of a language in short."""

    language: str

    def all(self, context: Context) -> Iterator[PostCard]:
        return shelf(context).each((self.language, ALL, 0))

    def one(self, context: Context, slug: str) -> PostCard | None:
        return next((card for card in self.all(context) if card.slug == slug), None)

    def count(self, context: Context) -> int:
        return shelf(context).count((self.language, ALL, 0))
