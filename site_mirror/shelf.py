"""All posts in short, read once for all that lists them.


They are held as bytes, one post a line, and decoded while somebody looks at them: a hundred
thousand rows as objects would be most of what a freeze needs in memory.
"""

from array import array
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from functools import lru_cache, partial
from io import BytesIO
from itertools import repeat
from typing import Any

import orjson
from msgspec import Struct, field

from catalogue import questions
from catalogue.localized import LANGUAGES
from catalogue.questions import PostCard, PostName
from site_mirror.context import Context
from site_mirror.pages.cards import MANY
from site_mirror.pages.texts import written

Label = tuple[str, str, int]
"""A list of posts: a language, and what of: everything, a year, or a tag by its key."""
ALL, YEAR, TAG = "all", "year", "tag"
NO_SUMMARY = b'["","",null]'


class Cards(Struct, frozen=True):
    """Some posts in short, in the order of their list; cheap to hand over to a process.

    Without summaries, as a list that is too long to show them has its posts, these are empty.
    `languages` are those in which at least one of them is written.
    """

    names: bytes
    summaries: bytes
    count: int
    languages: frozenset[str]

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[PostCard]:
        summaries = BytesIO(self.summaries) if self.summaries else repeat(NO_SUMMARY)
        return map(decoded, BytesIO(self.names), summaries)


class Lines(Struct, frozen=True):
    """Lines by their numbers; `ends` are where they end, in bytes, after one nought."""

    text: bytes
    ends: Sequence[int]

    def line(self, number: int) -> bytes:
        return self.text[self.ends[number] : self.ends[number + 1]]

    def some(self, numbers: Iterable[int]) -> Iterator[bytes]:
        text, ends = self.text, self.ends
        return (text[ends[number] : ends[number + 1]] for number in numbers)


class Part(Struct, frozen=True):
    """Some posts of a shelf in short, with all of their summaries; nothing of it is copied."""

    names: Lines
    summaries: Lines
    numbers: Sequence[int]

    def __len__(self) -> int:
        return len(self.numbers)

    def __iter__(self) -> Iterator[PostCard]:
        return map(decoded, self.names.some(self.numbers), self.summaries.some(self.numbers))


class Shelf(Struct, frozen=True):
    """Posts, the newest first, one a line, and the tags of each by their keys.

    `keys` are those of the posts, `lists` are numbers of lines, `changed` is when a post of a list
    last changed.
    """

    keys: Sequence[int]
    names: Lines
    summaries: Lines
    lists: Mapping[Label, Sequence[int]]
    changed: Mapping[Label, datetime]
    tags: Mapping[int, Sequence[int]]

    def name(self, number: int) -> PostName:
        return PostName(*orjson.loads(self.names.line(number))[: len(PostName.__struct_fields__)])

    def newer(self, number: int, language: str) -> PostName | None:
        """The post before this one in the list of a language."""
        numbers = self.lists.get((language, ALL, 0), ())
        return self.listed(numbers, bisect_left(numbers, number) - 1)

    def older(self, number: int, language: str) -> PostName | None:
        """The post after this one in the list of a language."""
        numbers = self.lists.get((language, ALL, 0), ())
        return self.listed(numbers, bisect_right(numbers, number))

    def beside(
        self, lines: range, language: str
    ) -> Iterator[tuple[PostName | None, PostName | None]]:
        """Of posts that follow each other, the one before and the one after in a language."""
        numbers = self.lists.get((language, ALL, 0), ())
        place = bisect_left(numbers, lines.start)
        newer, here = self.listed(numbers, place - 1), self.listed(numbers, place)
        for line in lines:
            if place < len(numbers) and numbers[place] == line:
                place += 1
                older = self.listed(numbers, place)
                yield newer, older
                newer, here = here, older
            else:
                yield newer, here

    def listed(self, numbers: Sequence[int], place: int) -> PostName | None:
        return self.name(numbers[place]) if 0 <= place < len(numbers) else None

    def slugs(self) -> Iterator[bytes]:
        """None of them has anything that JSON escapes."""
        return (line.split(b'"', 2)[1] for line in BytesIO(self.names.text))

    def count(self, label: Label) -> int:
        return len(self.lists.get(label, ()))

    def several(self, label: Label) -> "Part":
        return Part(self.names, self.summaries, self.lists.get(label, ()))

    def cards(self, label: Label) -> Cards:
        """A list, with summaries if it shows them."""
        numbers = self.lists.get(label, ())
        shown = numbers if len(numbers) <= MANY else ()
        summaries = b"".join(self.summaries.some(shown))
        languages = frozenset(told for told in LANGUAGES if self.has(label, told))
        return Cards(b"".join(self.names.some(numbers)), summaries, len(numbers), languages)

    def has(self, label: Label, language: str) -> bool:
        """Whether a post of a list is written in a language."""
        numbers = self.lists.get(label, ())
        if language == label[0]:
            return bool(numbers)
        return not set(self.lists.get((language, *label[1:]), ())).isdisjoint(numbers)

    def years(self, language: str) -> list[int]:
        """Those with posts in a language, the newest first."""
        return [number for told, what, number in self.lists if (told, what) == (language, YEAR)]


class Writing(Struct):
    """Lines in the making."""

    text: BytesIO = field(default_factory=BytesIO)
    ends: "array[int]" = field(default_factory=lambda: array("Q", [0]))

    def add(self, *values: Any) -> None:
        self.text.write(orjson.dumps(values, option=orjson.OPT_APPEND_NEWLINE))
        self.ends.append(self.text.tell())

    @property
    def lines(self) -> Lines:
        return Lines(self.text.getvalue(), self.ends)


class Filling(Struct):
    """A shelf in the making."""

    keys: "array[int]" = field(default_factory=lambda: array("Q"))
    names: Writing = field(default_factory=Writing)
    summaries: Writing = field(default_factory=Writing)
    lists: dict[Label, "array[int]"] = field(
        default_factory=lambda: defaultdict(partial(array, "L"))
    )
    changed: dict[Label, datetime] = field(default_factory=dict)

    def add(self, key: int, card: PostCard, tags: Sequence[int]) -> None:
        line, changed = len(self.keys), card.changed_at or card.publish_at
        for language in LANGUAGES:
            if written(card, "title", language):
                for label in labels(language, card.date.year, tags):
                    self.lists[label].append(line)
                    self.changed[label] = max(self.changed.get(label, changed), changed)
        self.names.add(card.slug, card.title_en, card.title_vi, card.publish_at, card.date)
        self.summaries.add(card.excerpt_en, card.excerpt_vi, card.edited_at)
        self.keys.append(key)

    def shelf(self, tags: Mapping[int, Sequence[int]]) -> Shelf:
        lines = self.names.lines, self.summaries.lines
        return Shelf(self.keys, *lines, self.lists, self.changed, tags)


@lru_cache(maxsize=5000)
def labels(language: str, year: int, tags: Sequence[int]) -> Sequence[Label]:
    """Of the lists that a post is in. Posts of the same year and tags are many."""
    return (language, ALL, 0), (language, YEAR, year), *((language, TAG, tag) for tag in tags)


def decoded(name: bytes, summary: bytes) -> PostCard:
    slug, english, vietnamese, moment, day = orjson.loads(name)
    excerpt_en, excerpt_vi, last = orjson.loads(summary)
    return PostCard(
        slug,
        english,
        vietnamese,
        excerpt_en,
        excerpt_vi,
        datetime.fromisoformat(moment),
        last and datetime.fromisoformat(last),
        date.fromisoformat(day),
    )


@lru_cache(maxsize=1)
def shelf(context: Context) -> Shelf:
    tags, filling = questions.tags_by_post(), Filling()
    for key, card in questions.post_cards(context.at):
        filling.add(key, card, tags.get(key, ()))
    return filling.shelf(tags)


class Shelved(Struct, frozen=True):
    """As a source: the posts of a language in short."""

    language: str

    def several(self, context: Context) -> Part:
        return shelf(context).several((self.language, ALL, 0))

    def all(self, context: Context) -> Iterator[PostCard]:
        return iter(self.several(context))

    def one(self, context: Context, slug: str) -> PostCard | None:
        return next((card for card in self.all(context) if card.slug == slug), None)
