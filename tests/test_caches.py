"""Every cache of the program is bounded: in bytes, or by a small number of small entries."""

import ast
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest

from catalogue import budgets
from catalogue.budgets import MEGABYTE, Remembered, remembered, remembered_if_short
from site_mirror import encodings
from site_mirror.encodings import BROTLI, GZIP, encoded

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("catalogue", "api", "site_mirror")
CACHES = ("cache", "lru_cache", "remembered", "remembered_if_short")
MOST_BYTES = 64 * MEGABYTE

IN_BYTES = {
    "catalogue/markdown/anchors.py:slug",
    "catalogue/markdown/highlighting.py:highlighted",
    "catalogue/markdown/mathml.py:formula_html",
    "site_mirror/encodings.py:encoded",
    "site_mirror/pages/templating.py:prose",
}
"""Of texts whose length editors decide."""

OF_THE_PROGRAM = {
    "catalogue/markdown/highlighting.py:token_class",
    "catalogue/triggers.py:triggers",
    "site_mirror/assets.py:address",
    "site_mirror/inputs.py:keys_of",
    "site_mirror/inputs.py:members",
    "site_mirror/inputs.py:program",
    "site_mirror/pages/days.py:day_format",
    "site_mirror/pages/days.py:month_format",
    "site_mirror/pages/days.py:month_name",
    "site_mirror/pages/docs/examples.py:environment",
    "site_mirror/pages/frame.py:label",
    "site_mirror/pages/skeleton.py:template",
    "site_mirror/reachable.py:patterns",
}
"""Without a bound, but their arguments are names, types and labels of the program, not content."""

OF_ONE_CALL = {"site_mirror/registry.py:slugs"}
"""Without a bound, but a call makes them and drops them."""

OF_SHORT_TEXTS = {
    "site_mirror/escaping.py:plain",
    "site_mirror/pages/inline.py:_quoted",
    "site_mirror/pages/inline.py:words",
}
"""Of at most `SHORT_TEXTS` texts of `SHORT_TEXT` characters."""

FEW = {
    "catalogue/budgets.py:short": 2048,
    "api/resources.py:shape_of": 32,
    "catalogue/markdown/highlighting.py:_lexer": 512,
    "catalogue/reading_time.py:count_words": 64,
    "site_mirror/described.py:described": 1,
    "site_mirror/gates/contract.py:contract": 2,
    "site_mirror/gates/forms.py:forms": 2,
    "site_mirror/gates/hosts.py:absolute": 2,
    "site_mirror/gates/hosts.py:is_local": 4096,
    "site_mirror/gates/hosts.py:suspicious": 4096,
    "site_mirror/gates/references.py:of_header": 1024,
    "site_mirror/gates/references.py:target_of": 8192,
    "site_mirror/pages/docs/sources.py:description": 1,
    "site_mirror/pages/frame.py:counted": 512,
    "site_mirror/pages/frame.py:day_in": 1 << 14,
    "site_mirror/pages/inline.py:_moment": 5000,
    "site_mirror/pages/skeleton.py:names": 64,
    "site_mirror/pages/skeleton.py:skeleton": 256,
    "site_mirror/registry.py:pages": 1,
    "site_mirror/shelf.py:labels": 5000,
    "site_mirror/shelf.py:shelf": 1,
    "site_mirror/snapshot/fresh.py:dated": 8,
    "site_mirror/snapshot/held.py:opened": 1,
    "site_mirror/snapshot/lines.py:profile_of": 256,
}
"""Entries of caches whose entries are small, or one value of the whole site."""


def caches(name: str) -> Iterator[tuple[str, ast.expr]]:
    """Where a module makes a cache, and the expression that makes it."""
    for node in ast.walk(ast.parse((ROOT / name).read_text())):
        if isinstance(node, ast.FunctionDef):
            for decorator in node.decorator_list:
                if made_by(decorator):
                    yield f"{name}:{node.name}", decorator
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            where = ", ".join(map(ast.unparse, node.targets))
            if made_by(node.value.func):
                yield f"{name}:{where}", node.value.func


def made_by(expression: ast.expr) -> str:
    """The name of the decorator, if it makes a cache."""
    called = expression.func if isinstance(expression, ast.Call) else expression
    name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
    return name if name in CACHES else ""


def found() -> dict[str, ast.expr]:
    names = [
        str(path.relative_to(ROOT))
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
    ]
    return {where: made for name in sorted(names) for where, made in caches(name)}


def test_every_cache_is_listed_with_its_bound() -> None:
    listed = IN_BYTES | OF_THE_PROGRAM | OF_ONE_CALL | OF_SHORT_TEXTS | FEW.keys()

    assert set(found()) == listed


def test_a_cache_has_the_bound_that_is_listed() -> None:
    made = found()

    assert {where for where in made if made_by(made[where]) == "remembered"} == IN_BYTES
    assert {where: entries(made[where]) for where in FEW} == FEW
    assert {
        where for where in made if made_by(made[where]) == "remembered_if_short"
    } == OF_SHORT_TEXTS
    bounded = IN_BYTES | OF_SHORT_TEXTS
    unbounded = {where for where in made if where not in bounded and entries(made[where]) is None}
    assert unbounded == OF_THE_PROGRAM | OF_ONE_CALL


def entries(made: ast.expr) -> int | None:
    """The most entries of a cache; `None` for one without a bound."""
    options = made.keywords if isinstance(made, ast.Call) else []
    size = next((option.value for option in options if option.arg == "maxsize"), None)
    if size is None:
        return None
    known = {"SHORT_TEXTS": budgets.SHORT_TEXTS}
    return eval(ast.unparse(size), {}, known)  # noqa: S307  (an expression of this program)


def filled(budget: int, sizes: list[int]) -> Remembered[[int], bytes]:
    cache = remembered(budget, len)(bytes)
    for size in sizes:
        cache(size)
    return cache


@pytest.mark.parametrize("seed", range(20))
def test_a_cache_never_exceeds_its_budget(seed: int) -> None:
    random = Random(seed)  # noqa: S311
    budget = random.randrange(1000, 200_000)
    cache = remembered(budget, len)(lambda number, size: bytes(size))

    for _ in range(2000):
        cache(random.randrange(300), random.randrange(budget // 2))
        assert cache.bytes <= budget
    assert cache.bytes == sum(size for _, size in cache.entries.values())


def test_what_was_used_least_recently_is_dropped_first() -> None:
    cache = filled(10 * (budgets.OVERHEAD + 600), list(range(600, 610)))
    cache(600)
    cache(611)

    assert (600,) in cache.entries
    assert (601,) not in cache.entries


def test_a_result_that_would_fill_the_cache_is_not_kept() -> None:
    assert not filled(8000, [1000]).entries
    assert filled(8000, [500]).entries


def test_long_arguments_are_not_kept_and_are_told_apart() -> None:
    cache = remembered(MEGABYTE)(lambda text: text[-1:])
    long = "đ" * 100_000

    assert [cache(f"{long}{end}") for end in "abcab"] == list("abcab")
    assert len(cache.entries) == 3
    assert cache.bytes < 3000
    assert cache(long.encode()) != cache(long)


def test_a_cache_is_shared_by_threads() -> None:
    cache = remembered(50_000, len)(bytes)
    with ThreadPoolExecutor(8) as threads:
        results = list(threads.map(cache, [size % 977 for size in range(20_000)]))

    assert [len(result) for result in results] == [size % 977 for size in range(20_000)]
    assert cache.bytes == sum(size for _, size in cache.entries.values()) <= 50_000


def test_of_texts_only_short_ones_are_remembered() -> None:
    asked = []

    def shout(text: str) -> str:
        asked.append(len(text))
        return text.upper()

    shouted = remembered_if_short(shout)
    for _ in range(2):
        for length in (1, budgets.SHORT_TEXT, budgets.SHORT_TEXT + 1):
            assert shouted("a" * length) == "A" * length

    assert asked == [1, budgets.SHORT_TEXT, budgets.SHORT_TEXT + 1, budgets.SHORT_TEXT + 1]


def test_an_error_is_not_kept() -> None:
    asked = []

    def fail(text: str) -> str:
        asked.append(text)
        raise ValueError(text)

    cache = remembered(MEGABYTE)(fail)
    for _ in range(2):
        with pytest.raises(ValueError, match="a"):
            cache("a")
    assert asked == ["a", "a"]


def test_compressed_bodies_stay_within_64_megabytes() -> None:
    """As edits of a large list leave them: each body is new, and hardly compresses."""
    assert encodings.VARIANTS_BUDGET == MOST_BYTES
    encoded.cache_clear()
    random = Random(1)  # noqa: S311
    for _ in range(40):
        body = random.randbytes(2 * MEGABYTE)
        for encoding in (BROTLI, GZIP):
            encoded(body, encoding)
            assert encoded.bytes <= MOST_BYTES
    assert encoded.bytes > MOST_BYTES * 0.9
    encoded.cache_clear()
