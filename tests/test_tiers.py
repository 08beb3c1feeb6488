"""The tests that each change must pass read no clock, measure no memory and do not pause."""

import ast
import os
from collections.abc import Iterator
from pathlib import Path

PROJECT = Path(__file__).parents[1]
MEASURES = {"getrusage", "memory_info", "tracemalloc"}
CLOCKS = {"monotonic", "perf_counter", "process_time", "thread_time", "localdate"}
PAUSES = {"sleep", "wait_for_timeout"}
NAMES = MEASURES | CLOCKS | {f"{clock}_ns" for clock in CLOCKS} | PAUSES

ALLOWED = {
    "tests/ports.py:wait_for": "looks at a condition between its pauses",
    "tests/live_origins.py:Origin": "looks at a condition between its pauses",
    "tests/hosts/bucket/servers.py:BucketServer": "looks at a condition between its pauses",
    "tests/live/test_edits_seen.py:until": "looks at a condition between its pauses",
    "tests/live/test_serve.py:"
    "test_the_workers_of_a_killed_server_end": "looks at a condition between its pauses",
    "tests/hosts/servers.py:serve_live_origin": "looks at a condition between its pauses",
    "tests/freeze/test_failures.py:wait_in_copy": "is a process that outlives another one",
    "tests/live/test_response_cache.py:"
    "test_kept_errors_occupy_no_more_memory_than_is_counted": "counts allocated bytes",
    "tests/live/test_without_a_database.py:"
    "test_a_failed_query_for_versions_is_not_repeated_at_once": "replaces the program's clock",
    "tests/freeze/test_encodings.py:"
    "test_a_variant_has_the_same_bytes_at_any_time": "moves the clock",
    # Helpers of exhaustive tests:
    "tests/catalogue/hostile_texts.py:main": "measures",
    "tests/hosts/debian_host.py:DebianHost": "starts units",
    "tests/hosts/servers.py:wait_for_budget_window": "waits for a new budget",
    "tests/live/test_serve.py:kill_workers": "waits for new workers",
    "tests/live/test_slow_clients.py:measure_health": "measures",
}
"""Functions and classes that may pause or measure, and what for."""


def test_only_exhaustive_tests_and_known_helpers_use_a_clock_or_a_pause() -> None:
    found = {
        use
        for folder, _, names in os.walk(PROJECT / "tests")
        for name in names
        if name.endswith(".py") and "node_modules" not in folder
        for use in find_uses(Path(folder) / name)
    }

    assert found == ALLOWED.keys()


def find_uses(path: Path) -> Iterator[str]:
    """Yield the parts of a module, except exhaustive tests, that measure, pause or ask the date."""
    tree = ast.parse(path.read_text())
    exhaustive = {name for name, value in find_assignments(tree) if is_exhaustive(value)}
    if "pytestmark" in exhaustive:
        return
    for node in tree.body:
        decorators = getattr(node, "decorator_list", [])
        if any(is_exhaustive(each) or ast.unparse(each) in exhaustive for each in decorators):
            continue
        if any(is_measure(part) for part in ast.walk(node)):
            yield f"{path.relative_to(PROJECT)}:{getattr(node, 'name', node.lineno)}"


def find_assignments(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    for node in tree.body:
        if isinstance(node, ast.Assign):
            yield ast.unparse(node.targets[0]), node.value


def is_exhaustive(expression: ast.expr) -> bool:
    return "pytest.mark.exhaustive(" in ast.unparse(expression)


def is_measure(part: ast.AST) -> bool:
    if isinstance(part, ast.Attribute):
        return part.attr in NAMES or ast.unparse(part).endswith(("time.time", "date.today"))
    return isinstance(part, ast.Name) and part.id in NAMES
