"""Sentences, tables, programs and formulas by the dozen, in two languages, from a seed."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

WORDS = Path(__file__).parent / "words"
SENTENCES = 2000
"""Different sentences in a language; a text is a choice of them."""


@dataclass(frozen=True, slots=True)
class Words:
    """What a language's sentences are made of; a pattern has places for a noun and the like."""

    nouns: Sequence[str]
    adjectives: Sequence[str]
    verbs: Sequence[str]
    adverbs: Sequence[str]
    patterns: Sequence[str]
    headings: Sequence[str]


def words(language: str) -> Words:
    return Words(**tomllib.loads((WORDS / f"{language}.toml").read_text()))


ENGLISH = words("en")
VIETNAMESE = words("vi")

FORMULAS = (
    r"T = {a}\pi \sqrt{{\frac{{L}}{{{b}g}}}}",
    r"x_{{{a}}} = \alpha x + (1 - \alpha) \cdot {b}",
    r"\sigma^2 = \frac{{1}}{{{a}}} \sum_{{i=1}}^{{{b}}} (x_i - \mu)^2",
    r"d = \frac{{{a} \cdot t}}{{{b}}}",
    r"\theta = \arctan\left(\frac{{{a} a_x}}{{{b} a_z}}\right)",
)

PROGRAM = """\
```python
WINDOW = {a}


def {name}(samples: list[float]) -> float:
    recent = samples[-WINDOW:]
    return sum(recent) / len(recent) if recent else {b}.0
```"""


class Writer:
    """Writes in one language. `random` decides, so the same seed writes the same."""

    def __init__(self, words: Words, random: Random) -> None:
        self.words = words
        self.sentences = [self.filled(random, words.patterns) for _ in range(SENTENCES)]

    def filled(self, random: Random, patterns: Sequence[str]) -> str:
        """A pattern with words in its places, each place with its own."""
        choices = {
            "{noun}": self.words.nouns,
            "{adjective}": self.words.adjectives,
            "{verb}": self.words.verbs,
            "{adverb}": self.words.adverbs,
        }
        text = random.choice(patterns).replace("{number}", str(random.randrange(2, 90)))
        for place, words in choices.items():
            while place in text:
                text = text.replace(place, random.choice(words), 1)
        return text[0].upper() + text[1:]

    def heading(self, random: Random) -> str:
        return self.filled(random, self.words.headings)

    def paragraph(self, random: Random, sentences: int) -> str:
        """Sentences, one word of them emphasised and some words a link."""
        chosen = random.choices(self.sentences, k=sentences)
        noun, target = random.choice(self.words.nouns), random.choice(LINKS)
        chosen.insert(sentences // 2, f"*{noun.capitalize()}*: [{noun}]({target}).")
        return " ".join(chosen)

    def bullets(self, random: Random) -> str:
        return "\n".join(f"- {sentence}" for sentence in random.choices(self.sentences, k=3))

    def table(self, random: Random) -> str:
        rows = (
            f"| {random.choice(self.words.nouns)} | {random.randrange(1000)} "
            f"| {random.randrange(100)}.{random.randrange(10)}% |"
            for _ in range(4)
        )
        return "| | n | % |\n| --- | --- | --- |\n" + "\n".join(rows)


LINKS = (
    "/apps/phyzix",
    "/apps/sonarish",
    "/docs/api",
    "/about",
    "https://example.org/sensors",
    "https://example.org/sampling",
)


def program(random: Random) -> str:
    name = random.choice(ENGLISH.nouns)
    return PROGRAM.format(a=random.randrange(2, 500), b=random.randrange(10), name=name)


def formula(random: Random) -> str:
    """LaTeX; its numbers make most formulas of a large corpus different ones."""
    return random.choice(FORMULAS).format(a=random.randrange(2, 100), b=random.randrange(2, 100))
