"""A corpus of any size that is the same on every machine: a small one begins a large one."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from random import Random

from benchmarks import prose

SEED = 20261121
FIRST_MOMENT = datetime(2012, 1, 1, 2, 0, tzinfo=UTC)
DAYS = 5000
TAGS = ("physics", "sensors", "mathematics", "audio", "privacy", "testing", "maps", "health")
FORMULAS = PROGRAMS = 0.1
"""The shares of the articles that have formulas, and a program."""


@dataclass(frozen=True, slots=True)
class Article:
    """One post of about 600 words; `body` is Markdown."""

    slug: str
    published: datetime
    tags: tuple[str, ...]
    title: str
    excerpt: str
    body: str

    def edited(self, edition: int) -> "Article":
        """Return the article with a new title and one more paragraph."""
        added = f"{self.body}\n\nEdition {edition} adds this paragraph and changes the title."
        return replace(self, title=f"{self.title} ({edition})", body=added)


def make_random(part: object) -> Random:
    """Return a generator of random numbers that are the same on every machine."""
    return Random(f"{SEED} {part}")  # noqa: S311  (no secret)


WRITER = prose.Writer(make_random("en"))


def articles(count: int) -> Iterator[Article]:
    return map(article, range(count))


def article(number: int) -> Article:
    random = make_random(number)
    formulas, programs = random.random() < FORMULAS, random.random() < PROGRAMS
    return Article(
        slug=f"{random.choice(prose.WORDS['nouns'])}-{number:07d}",
        published=FIRST_MOMENT + timedelta(days=number % DAYS),
        tags=tuple(sorted(set(random.choices(TAGS, k=3)))),
        title=WRITER.heading(random),
        excerpt=" ".join(random.choices(WRITER.sentences, k=2)),
        body="\n\n".join(make_blocks(random, formulas=formulas, programs=programs)),
    )


def make_blocks(random: Random, *, formulas: bool, programs: bool) -> Iterator[str]:
    yield WRITER.paragraph(random, 4)
    extras = [
        WRITER.bullets(random),
        WRITER.table(random),
        prose.make_program(random) if programs else WRITER.bullets(random),
        f"> {random.choice(WRITER.sentences)}",
    ]
    for extra in extras:
        yield f"## {WRITER.heading(random)}"
        yield WRITER.paragraph(random, 4)
        yield extra
        yield WRITER.paragraph(random, 4)
    if formulas:
        yield f"{random.choice(WRITER.sentences)} ${prose.make_formula(random)}$"
        yield f"$$\n{prose.make_formula(random)}\n$$"
