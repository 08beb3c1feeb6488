"""Random sentences, tables, programs and formulas."""

import tomllib
from collections.abc import Sequence
from pathlib import Path
from random import Random

WORDS: dict[str, list[str]] = tomllib.loads((Path(__file__).parent / "words.toml").read_text())
"""Words, and patterns of sentences and headings with placeholders for them."""
KINDS = ("noun", "adjective", "verb", "adverb")
SENTENCE_COUNT = 2000
"""Different sentences, from which texts are made."""

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
    """A writer of texts, which depend only on the seed of `random`."""

    def __init__(self, random: Random) -> None:
        patterns = WORDS["patterns"]
        self.sentences = [self.fill_pattern(random, patterns) for _ in range(SENTENCE_COUNT)]

    def fill_pattern(self, random: Random, patterns: Sequence[str]) -> str:
        """Replace each placeholder of a pattern by a random word."""
        choices = {f"{{{kind}}}": WORDS[f"{kind}s"] for kind in KINDS}
        text = random.choice(patterns).replace("{number}", str(random.randrange(2, 90)))
        for place, words in choices.items():
            while place in text:
                text = text.replace(place, random.choice(words), 1)
        return text[0].upper() + text[1:]

    def heading(self, random: Random) -> str:
        return self.fill_pattern(random, WORDS["headings"])

    def paragraph(self, random: Random, sentences: int) -> str:
        """Return sentences with an emphasised word and a link."""
        chosen = random.choices(self.sentences, k=sentences)
        noun, target = random.choice(WORDS["nouns"]), random.choice(LINKS)
        chosen.insert(sentences // 2, f"*{noun.capitalize()}*: [{noun}]({target}).")
        return " ".join(chosen)

    def bullets(self, random: Random) -> str:
        return "\n".join(f"- {sentence}" for sentence in random.choices(self.sentences, k=3))

    def table(self, random: Random) -> str:
        rows = (
            f"| {random.choice(WORDS['nouns'])} | {random.randrange(1000)} "
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
    name = random.choice(WORDS["nouns"])
    return PROGRAM.format(a=random.randrange(2, 500), b=random.randrange(10), name=name)


def make_formula(random: Random) -> str:
    """Return LaTeX with random numbers, so that most formulas of a large corpus differ."""
    return random.choice(FORMULAS).format(a=random.randrange(2, 100), b=random.randrange(2, 100))
