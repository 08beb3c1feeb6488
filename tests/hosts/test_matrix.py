"""The capability matrix in the documentation equals the declarations of the hosts."""

from site_mirror.hosts.table import HOSTS
from tests.hosts.matrix import DOCUMENT, render_matrix, replace_matrix

MATRIX = render_matrix(HOSTS.values())


def test_the_documented_matrix_equals_the_generated_one() -> None:
    document = DOCUMENT.read_text()

    assert replace_matrix(document, MATRIX) == document, "Run python -m tests.hosts.matrix."
    assert replace_matrix(document, "nothing") != document
