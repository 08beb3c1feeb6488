"""Options that several commands share."""

from argparse import ArgumentParser, ArgumentTypeError, Namespace

from benchmarks.corpus import SEED, Corpus


def natural(text: str) -> int:
    """A whole number from 1."""
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"{text!r} is not a whole number from 1")
    return int(text)


def share(text: str) -> float:
    """A number from 0 to 1."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise ArgumentTypeError(f"{text!r} is not a number from 0 to 1")
    return value


def add_corpus(parser: ArgumentParser) -> None:
    parser.add_argument("--seed", type=int, default=SEED, help="another seed, another corpus")
    parser.add_argument("--formulas", type=share, default=0.1, help="share of posts with formulas")
    parser.add_argument("--programs", type=share, default=0.1, help="share of posts with a program")
    parser.add_argument("--vietnamese", type=share, default=0.0, help="share that is translated")


def corpus_of(given: Namespace) -> Corpus:
    return Corpus(
        seed=given.seed,
        formulas=given.formulas,
        programs=given.programs,
        vietnamese=given.vietnamese,
    )


def corpus_words(corpus: Corpus) -> list[str]:
    """The same options again, for a process of its own."""
    return [
        f"--seed={corpus.seed}",
        f"--formulas={corpus.formulas}",
        f"--programs={corpus.programs}",
        f"--vietnamese={corpus.vietnamese}",
    ]
