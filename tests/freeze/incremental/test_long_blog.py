"""Whatever is edited in a blog of some length, a freeze gives the bytes of a full one."""

from pathlib import Path

import pytest
from hypothesis import given, settings

from tests.freeze.incremental import corpus, freezes
from tests.freeze.incremental.holding import hold_to_full_freezes
from tests.freeze.incremental.sequences import Run, edits_of_the_blog, runs

pytestmark = pytest.mark.django_db

POSTS = 130


@pytest.fixture(scope="module")
def blog(base: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A target with a release of the small site with a longer blog. Copy it."""
    corpus.make_blog(POSTS)
    target = tmp_path_factory.mktemp("blog") / "site"
    freezes.freeze(target)
    return target


@settings(max_examples=4, deadline=None, derandomize=True, database=None, print_blob=True)
@given(sequence=runs(edits_of_the_blog()))
def test_any_sequence_of_edits_to_a_blog_gives_what_full_freezes_give(
    blog: Path, sequence: list[Run]
) -> None:
    hold_to_full_freezes(blog, sequence)
