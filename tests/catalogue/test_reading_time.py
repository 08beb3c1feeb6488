import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalogue.texts.reading_time import WORDS_PER_MINUTE, count_words, read_minutes


@pytest.mark.parametrize(
    ("markdown", "words"),
    [
        ("", 0),
        ("One two three.", 3),
        ("Điện thoại đo được.", 4),
        ("the phone's own", 3),
        ("the phone’s own", 3),
        ("a well-timed push", 3),
        ("## A heading\n\ntext", 3),
        ("| a | b |\n| --- | --- |\n| c | d |", 4),
        ("- one\n- two", 2),
        ("before\n\n```python\nx = 1\ny = 2\n```\n\nafter", 2),
        ("before\n\n~~~\nx = 1\n~~~\n\nafter", 2),
        ("a\n\n```\nb\n```\n\nc\n\n```\nd\n```\n\ne", 3),
        ("a\n\n````\n```\nb\n```\nc\n````\n\nd", 2),
        ("a\n\n~~~\n```\nb\n~~~\n\nc", 2),
        ("a\n\n  ```\n  b\n  ```\n\nc", 2),
        ("a `b c` d", 4),
        ("a\n\n```\nb", 1),
    ],
)
def test_words_of_prose_are_counted_and_fenced_code_is_not(markdown: str, words: int) -> None:
    assert count_words(markdown) == words


@pytest.mark.parametrize(
    ("words", "minutes"),
    [
        (0, 1),
        (1, 1),
        (WORDS_PER_MINUTE, 1),
        (WORDS_PER_MINUTE + 1, 2),
        (2 * WORDS_PER_MINUTE, 2),
        (1200, 6),
    ],
)
def test_a_text_takes_whole_minutes_and_at_least_one(words: int, minutes: int) -> None:
    assert read_minutes("word " * words) == minutes


@given(st.text(st.sampled_from("aB3_ '-–’.\n\té"), max_size=60))
def test_words_are_counted_the_same_next_to_any_alphabet(text: str) -> None:
    words = re.findall(r"\w[\w'’-]*", text)

    assert count_words(text) == len(words)
    assert count_words(f"{text} é") == len(words) + 1
