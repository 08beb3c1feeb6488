"""Options that several commands share."""

from argparse import ArgumentParser, ArgumentTypeError, Namespace

from benchmarks.corpus import SEED, Corpus


def natural_number(text: str) -> int:
    """Read a whole number from 1."""
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"{text!r} is not a whole number from 1")
    return int(text)


def share_of_one(text: str) -> float:
    """Read a number from 0 to 1."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise ArgumentTypeError(f"{text!r} is not a number from 0 to 1")
    return value


def add_corpus_options(parser: ArgumentParser) -> None:
    parser.add_argument("--seed", type=int, default=SEED, help="another seed, another corpus")
    parser.add_argument(
        "--formulas", type=share_of_one, default=0.1, help="share of posts with formulas"
    )
    parser.add_argument(
        "--programs", type=share_of_one, default=0.1, help="share of posts with a program"
    )
    parser.add_argument(
        "--vietnamese", type=share_of_one, default=0.0, help="share that is translated"
    )


def make_corpus(arguments: Namespace) -> Corpus:
    return Corpus(
        seed=arguments.seed,
        formulas=arguments.formulas,
        programs=arguments.programs,
        vietnamese=arguments.vietnamese,
    )


def corpus_options(corpus: Corpus) -> list[str]:
    """Return the options of a corpus for another process."""
    return [
        f"--seed={corpus.seed}",
        f"--formulas={corpus.formulas}",
        f"--programs={corpus.programs}",
        f"--vietnamese={corpus.vietnamese}",
    ]
