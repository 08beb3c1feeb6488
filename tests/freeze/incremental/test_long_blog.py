"""An incremental freeze of a blog with several batches gives the bytes of a full one."""

from pathlib import Path

import pytest
from hypothesis import given, settings

from tests.freeze.incremental import corpus, freezes
from tests.freeze.incremental.edit_strategies import Run, edits_of_the_blog, runs
from tests.freeze.incremental.full_freeze_comparison import compare_with_full_freezes

pytestmark = pytest.mark.django_db

POSTS = 130


@pytest.fixture(scope="module")
def blog(base: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A target with a release of the small site and 130 more posts. Copy it before you write."""
    corpus.make_blog(POSTS)
    target = tmp_path_factory.mktemp("blog") / "site"
    freezes.freeze(target)
    return target


@pytest.mark.exhaustive("freezes a long blog after each of many random edits")
@settings(max_examples=4, print_blob=True)
@given(sequence=runs(edits_of_the_blog()))
def test_any_sequence_of_edits_to_a_blog_gives_what_full_freezes_give(
    blog: Path, sequence: list[Run]
) -> None:
    compare_with_full_freezes(blog, sequence)
