"""A corpus of any size, which depends only on its seed."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from random import Random

from benchmarks import prose
from benchmarks.prose import Writer

SEED = 20261121
FIRST_MOMENT = datetime(2012, 1, 1, 2, 0, tzinfo=UTC)
DAYS = 5000
TAGS = ("physics", "sensors", "mathematics", "audio", "privacy", "testing", "maps", "health")


@dataclass(frozen=True, slots=True)
class Text:
    """An article in one language; `body` is Markdown."""

    title: str
    excerpt: str
    body: str


@dataclass(frozen=True, slots=True)
class Article:
    """One post of about 600 words."""

    slug: str
    published: datetime
    tags: tuple[str, ...]
    english: Text
    vietnamese: Text | None = None

    def edited(self, edition: int) -> "Article":
        """Return the article after an edit: with a new title and one more paragraph."""
        title, body = self.english.title, self.english.body
        added = f"{body}\n\nEdition {edition} adds this paragraph and changes the title."
        text = replace(self.english, title=f"{title} ({edition})", body=added)
        return replace(self, english=text)


@dataclass(frozen=True)
class Corpus:
    """Articles by number. `formulas`, `programs` and `vietnamese` are shares of the articles."""

    seed: int = SEED
    formulas: float = 0.1
    programs: float = 0.1
    vietnamese: float = 0.0

    @cached_property
    def english_writer(self) -> Writer:
        return Writer(prose.ENGLISH, make_random(self.seed, "en"))

    @cached_property
    def vietnamese_writer(self) -> Writer:
        return Writer(prose.VIETNAMESE, make_random(self.seed, "vi"))

    def articles(self, count: int) -> Iterator[Article]:
        """Return the first articles; those of a small corpus are the first of a large one."""
        return (self.article(number) for number in range(count))

    def article(self, number: int) -> Article:
        random = make_random(self.seed, number)
        formulas, translated = random.random() < self.formulas, random.random() < self.vietnamese
        programs = random.random() < self.programs
        return Article(
            slug=f"{random.choice(prose.ENGLISH.nouns)}-{number:07d}",
            published=FIRST_MOMENT + timedelta(days=number % DAYS),
            tags=tuple(sorted(set(random.choices(TAGS, k=3)))),
            english=make_text(self.english_writer, random, formulas=formulas, programs=programs),
            vietnamese=(
                make_text(self.vietnamese_writer, random, formulas=formulas, programs=programs)
                if translated
                else None
            ),
        )


def make_random(seed: int, part: object) -> Random:
    """Return a generator of random numbers that are the same on every machine."""
    return Random(f"{seed} {part}")  # noqa: S311  (no secret)


def make_text(writer: Writer, random: Random, *, formulas: bool, programs: bool) -> Text:
    return Text(
        title=writer.heading(random),
        excerpt=" ".join(random.choices(writer.sentences, k=2)),
        body="\n\n".join(make_blocks(writer, random, formulas=formulas, programs=programs)),
    )


def make_blocks(writer: Writer, random: Random, *, formulas: bool, programs: bool) -> Iterator[str]:
    yield writer.paragraph(random, 4)
    extras = [
        writer.bullets(random),
        writer.table(random),
        prose.make_program(random) if programs else writer.bullets(random),
        f"> {random.choice(writer.sentences)}",
    ]
    for extra in extras:
        yield f"## {writer.heading(random)}"
        yield writer.paragraph(random, 4)
        yield extra
        yield writer.paragraph(random, 4)
    if formulas:
        yield f"{random.choice(writer.sentences)} ${prose.make_formula(random)}$"
        yield f"$$\n{prose.make_formula(random)}\n$$"
