"""Random sentences, tables, programs and formulas in two languages."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

WORDS_FOLDER = Path(__file__).parent / "words"
SENTENCE_COUNT = 2000
"""Different sentences of a language, from which texts are made."""


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a language; a pattern has placeholders for them."""

    nouns: Sequence[str]
    adjectives: Sequence[str]
    verbs: Sequence[str]
    adverbs: Sequence[str]
    patterns: Sequence[str]
    headings: Sequence[str]


def read_words(language: str) -> Words:
    return Words(**tomllib.loads((WORDS_FOLDER / f"{language}.toml").read_text()))


ENGLISH = read_words("en")
VIETNAMESE = read_words("vi")

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
    """A writer of texts in one language, which depend only on the seed of `random`."""

    def __init__(self, words: Words, random: Random) -> None:
        self.words = words
        self.sentences = [self.fill_pattern(random, words.patterns) for _ in range(SENTENCE_COUNT)]

    def fill_pattern(self, random: Random, patterns: Sequence[str]) -> str:
        """Replace each placeholder of a pattern by a random word."""
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
        return self.fill_pattern(random, self.words.headings)

    def paragraph(self, random: Random, sentences: int) -> str:
        """Return sentences with an emphasised word and a link."""
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


def make_program(random: Random) -> str:
    name = random.choice(ENGLISH.nouns)
    return PROGRAM.format(a=random.randrange(2, 500), b=random.randrange(10), name=name)


def make_formula(random: Random) -> str:
    """Return LaTeX with random numbers, so that most formulas of a large corpus differ."""
    return random.choice(FORMULAS).format(a=random.randrange(2, 100), b=random.randrange(2, 100))
