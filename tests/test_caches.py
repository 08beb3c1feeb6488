"""Every cache of the program is bounded, in bytes or by a number of small entries."""

import ast
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from random import Random

import pytest

from catalogue import bounded_caches
from catalogue.bounded_caches import MEGABYTE, BoundedCache, cache_short_texts, cache_within_budget
from site_mirror.documents import encodings
from site_mirror.documents.encodings import BROTLI, GZIP, encoded_variant

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("catalogue", "api", "site_mirror")
CACHES = ("cache", "lru_cache", "cache_within_budget", "cache_short_texts")
MAX_TOTAL_BYTES = 64 * MEGABYTE

IN_BYTES = {
    "catalogue/markdown/anchors.py:anchor_slug",
    "catalogue/markdown/highlighting.py:highlight_code",
    "catalogue/markdown/mathml.py:formula_html",
    "site_mirror/documents/encodings.py:encoded_variant",
    "site_mirror/pages/templating.py:prose_html",
}
"""Caches of texts that editors write, bounded in bytes."""

OF_THE_PROGRAM = {
    "catalogue/markdown/highlighting.py:token_class",
    "catalogue/triggers.py:expected_triggers",
    "site_mirror/documents/assets.py:asset_address",
    "site_mirror/documents/digests.py:key_fields_of",
    "site_mirror/documents/digests.py:compared_members",
    "site_mirror/documents/digests.py:program_digest",
    "site_mirror/pages/days.py:day_format",
    "site_mirror/pages/days.py:month_format",
    "site_mirror/pages/days.py:month_name",
    "site_mirror/pages/docs/examples.py:program_environment",
    "site_mirror/pages/frame.py:translate_label",
    "site_mirror/pages/html.py:get_template",
    "site_mirror/desk/reachable.py:address_patterns",
}
"""Caches without a bound whose arguments are names and types of the program, not content."""

OF_ONE_CALL = {"site_mirror/registry/table.py:slugs"}
"""Caches without a bound that live as long as one call."""

OF_SHORT_TEXTS = {
    "site_mirror/documents/escaping.py:escape_markdown",
    "site_mirror/pages/inline.py:_escape_attribute",
    "site_mirror/pages/inline.py:text_html",
}
"""Caches of at most `MAX_SHORT_TEXTS` texts of `MAX_SHORT_TEXT_CHARACTERS` characters."""

MAX_ENTRIES = {
    "catalogue/bounded_caches.py:short": 2048,
    "api/resources.py:serializer_of": 32,
    "api/schema_outline.py:generate_outline": 1,
    "catalogue/markdown/highlighting.py:_find_lexer": 512,
    "catalogue/reading_time.py:count_words": 64,
    "catalogue/timeline_links.py:build_query": 1,
    "site_mirror/documents/openapi.py:openapi_document": 1,
    "site_mirror/gates/contract.py:load_contract": 2,
    "site_mirror/gates/forms.py:link_forms": 2,
    "site_mirror/gates/hosts.py:absolute_address_pattern": 2,
    "site_mirror/gates/hosts.py:is_local_host": 4096,
    "site_mirror/gates/hosts.py:is_suspicious": 4096,
    "site_mirror/gates/references.py:header_links": 1024,
    "site_mirror/gates/references.py:target_of": 8192,
    "site_mirror/pages/docs/sources.py:read_api_content": 1,
    "site_mirror/pages/frame.py:translate_count": 512,
    "site_mirror/pages/frame.py:moment_of_day": 1 << 14,
    "site_mirror/pages/inline.py:_moment": 5000,
    "site_mirror/pages/html.py:render_fragment": 256,
    "site_mirror/registry/table.py:page_summaries": 1,
    "site_mirror/pages/post_index.py:labels_of_post": 5000,
    "site_mirror/pages/post_index.py:post_index": 1,
    "site_mirror/snapshot/lines.py:profile_of": 256,
    "site_mirror/snapshot/published_lines.py:index_lines": 1,
    "site_mirror/snapshot/write.py:http_date_of": 8,
}
"""Maximum numbers of entries, for caches of small values or of one value of the site."""


def find_caches_in(name: str) -> Iterator[tuple[str, ast.expr]]:
    """Yield the names of the caches of a module, each with its decorator."""
    for node in ast.walk(ast.parse((ROOT / name).read_text())):
        if isinstance(node, ast.FunctionDef):
            for decorator in node.decorator_list:
                if find_decorator(decorator):
                    yield f"{name}:{node.name}", decorator
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            where = ", ".join(map(ast.unparse, node.targets))
            if find_decorator(node.value.func):
                yield f"{name}:{where}", node.value.func


def find_decorator(expression: ast.expr) -> str:
    """Return the name of a decorator that makes a cache, or an empty text."""
    called = expression.func if isinstance(expression, ast.Call) else expression
    name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
    return name if name in CACHES else ""


@cache
def find_all_caches() -> dict[str, ast.expr]:
    names = [
        str(path.relative_to(ROOT))
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
    ]
    return {where: made for name in sorted(names) for where, made in find_caches_in(name)}


def test_every_cache_is_listed_with_its_bound() -> None:
    listed = IN_BYTES | OF_THE_PROGRAM | OF_ONE_CALL | OF_SHORT_TEXTS | MAX_ENTRIES.keys()

    assert set(find_all_caches()) == listed


def test_a_cache_has_the_bound_that_is_listed() -> None:
    made = find_all_caches()

    assert {
        where for where in made if find_decorator(made[where]) == "cache_within_budget"
    } == IN_BYTES
    assert {where: read_max_entries(made[where]) for where in MAX_ENTRIES} == MAX_ENTRIES
    assert {
        where for where in made if find_decorator(made[where]) == "cache_short_texts"
    } == OF_SHORT_TEXTS
    bounded = IN_BYTES | OF_SHORT_TEXTS
    unbounded = {
        where for where in made if where not in bounded and read_max_entries(made[where]) is None
    }
    assert unbounded == OF_THE_PROGRAM | OF_ONE_CALL


def read_max_entries(made: ast.expr) -> int | None:
    """Return the maximum number of entries of a cache; `None` for one without a bound."""
    options = made.keywords if isinstance(made, ast.Call) else []
    size = next((option.value for option in options if option.arg == "maxsize"), None)
    if size is None:
        return None
    known = {"MAX_SHORT_TEXTS": bounded_caches.MAX_SHORT_TEXTS}
    return eval(ast.unparse(size), {}, known)  # noqa: S307  (an expression of this program)


def fill_cache(budget: int, sizes: list[int]) -> BoundedCache[[int], bytes]:
    cache = cache_within_budget(budget, len)(bytes)
    for size in sizes:
        cache(size)
    return cache


@pytest.mark.parametrize("seed", range(20))
def test_a_cache_never_exceeds_its_budget(seed: int) -> None:
    random = Random(seed)  # noqa: S311
    budget = random.randrange(1000, 200_000)
    cache = cache_within_budget(budget, len)(lambda number, size: bytes(size))

    for _ in range(2000):
        cache(random.randrange(300), random.randrange(budget // 2))
        assert cache.bytes <= budget
    assert cache.bytes == sum(size for _, size in cache.entries.values())


def test_the_least_recently_used_entry_is_dropped_first() -> None:
    cache = fill_cache(10 * (bounded_caches.ENTRY_OVERHEAD_BYTES + 600), list(range(600, 610)))
    cache(600)
    cache(611)

    assert (600,) in cache.entries
    assert (601,) not in cache.entries


def test_a_result_larger_than_the_budget_is_not_cached() -> None:
    assert not fill_cache(8000, [1000]).entries
    assert fill_cache(8000, [500]).entries


def test_long_arguments_are_not_cached_and_are_distinguished() -> None:
    cache = cache_within_budget(MEGABYTE)(lambda text: text[-1:])
    long = "đ" * 100_000

    assert [cache(f"{long}{end}") for end in "abcab"] == list("abcab")
    assert len(cache.entries) == 3
    assert cache.bytes < 3000
    assert cache(long.encode()) != cache(long)


def test_a_cache_is_shared_by_threads() -> None:
    cache = cache_within_budget(50_000, len)(bytes)
    with ThreadPoolExecutor(8) as threads:
        results = list(threads.map(cache, [size % 977 for size in range(20_000)]))

    assert [len(result) for result in results] == [size % 977 for size in range(20_000)]
    assert cache.bytes == sum(size for _, size in cache.entries.values()) <= 50_000


def test_only_short_texts_are_cached() -> None:
    most, asked = bounded_caches.MAX_SHORT_TEXT_CHARACTERS, []

    def shout(text: str) -> str:
        asked.append(len(text))
        return text.upper()

    shouted = cache_short_texts(shout)
    for _ in range(2):
        for length in (1, most, most + 1):
            assert shouted("a" * length) == "A" * length

    assert asked == [1, most, most + 1, most + 1]


def test_an_error_is_not_cached() -> None:
    asked = []

    def fail(text: str) -> str:
        asked.append(text)
        raise ValueError(text)

    cache = cache_within_budget(MEGABYTE)(fail)
    for _ in range(2):
        with pytest.raises(ValueError, match="a"):
            cache("a")
    assert asked == ["a", "a"]


def test_compressed_bodies_have_a_budget_of_64_megabytes() -> None:
    assert encoded_variant.budget == encodings.VARIANTS_BUDGET == MAX_TOTAL_BYTES
    assert encoded_variant.size(encoded_variant(b"a" * 5000, GZIP)) < 5000


@pytest.mark.exhaustive("compresses 160 megabytes")
def test_compressed_bodies_stay_within_64_megabytes() -> None:
    """After edits of a large list each body is new, and random bytes hardly compress."""
    encoded_variant.cache_clear()
    random = Random(1)  # noqa: S311
    for _ in range(40):
        body = random.randbytes(2 * MEGABYTE)
        for encoding in (BROTLI, GZIP):
            encoded_variant(body, encoding)
            assert encoded_variant.bytes <= MAX_TOTAL_BYTES
    assert encoded_variant.bytes > MAX_TOTAL_BYTES * 0.9
    encoded_variant.cache_clear()
