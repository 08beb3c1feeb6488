"""Every cache of the program is bounded: by a number of entries, or by what can be asked."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("catalogue", "api", "site_mirror")

OF_THE_PROGRAM = {
    "catalogue/texts/markdown/highlighting.py:token_class",
    "catalogue/triggers/sql.py:expected_triggers",
    "site_mirror/documents/assets.py:asset_address",
    "site_mirror/documents/digests.py:key_fields_of",
    "site_mirror/documents/digests.py:program_digest",
    "site_mirror/documents/sources.py:single_row",
    "site_mirror/pages/frame.py:translate_label",
    "site_mirror/pages/html.py:get_template",
}
"""Caches without a bound whose arguments are names and types of the program, not content."""


def find_unbounded_caches(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef):
            for decorator in map(ast.unparse, node.decorator_list):
                if decorator in {"cache", "functools.cache"} or "maxsize=None" in decorator:
                    yield node.name


def test_a_cache_of_content_has_a_limited_number_of_entries() -> None:
    unbounded = {
        f"{path.relative_to(ROOT)}:{name}"
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
        for name in find_unbounded_caches(path)
    }

    assert unbounded == OF_THE_PROGRAM
