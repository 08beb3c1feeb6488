"""The commands of the benchmarks run and say what they measured. No time is asserted."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from benchmarks import freeze_report, freezing, profiling
from benchmarks.running import Command, Failed, Run, run
from benchmarks.soak import NotFlat, Soak
from benchmarks.tables import Table
from tests.test_server import free_port

ROOT = Path(__file__).resolve().parent.parent
POSTS = 20


def benchmarks(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "benchmarks", *words]
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300
    )


@pytest.fixture(scope="module")
def frozen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What `freeze` measures of a small corpus, without peers."""
    folder = tmp_path_factory.mktemp("frozen")
    words = ["--posts", str(POSTS), "--rounds", "1", "--peers", "", "--patience", "0"]
    words += ["--growth", "30", "--disk", str(folder), "--json", str(folder / "figures.json")]
    done = benchmarks("freeze", *words, "--markdown", str(folder / "tables.md"))
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in folder.iterdir()) == ["figures.json", "tables.md"]
    figures: dict[str, Any] = json.loads((folder / "figures.json").read_text())
    return figures | {"tables": (folder / "tables.md").read_text()}


def test_a_freeze_is_measured_full_edited_and_unchanged(frozen: dict[str, Any]) -> None:
    (ours,) = frozen["contestants"]

    assert tuple(ours["cases"]) == freezing.CASES
    assert all(len(case["runs"]) == 1 for case in ours["cases"].values())
    assert all(run["seconds"] > 0 for case in ours["cases"].values() for run in case["runs"])


def test_a_measured_freeze_has_made_the_corpus(frozen: dict[str, Any]) -> None:
    (ours,) = frozen["contestants"]

    assert ours["files"] > 3 * POSTS
    assert ours["bytes"] > 3 * POSTS * 1000


def test_the_memory_of_a_freeze_is_measured(frozen: dict[str, Any]) -> None:
    (ours,) = frozen["contestants"]

    assert 20e6 < ours["peakBytes"] < 2e9


def test_growth_is_measured_on_a_larger_corpus(frozen: dict[str, Any]) -> None:
    assert frozen["growth"]["posts"] == 30
    assert frozen["growth"]["over"] > 0


def test_the_tables_are_markdown(frozen: dict[str, Any]) -> None:
    assert f"**Freeze of {POSTS} posts: wall time" in frozen["tables"]
    assert "| --- | ---: |" in frozen["tables"]


def test_a_profile_names_functions_of_the_project_and_imports(tmp_path: Path) -> None:
    file = tmp_path / "profile.json"
    done = benchmarks("profile", "--posts", str(POSTS), "--top", "5", "--json", str(file))
    figures = json.loads(file.read_text())
    names = {function["name"].partition(":")[0] for function in figures["functions"]}
    modules = {module["name"] for module in figures["imports"]}

    assert done.returncode == 0, done.stderr
    assert "site_mirror/snapshot/engine.py" in names
    assert {"django", "site_mirror.freezing"} <= modules


def test_an_import_is_read_from_what_python_says() -> None:
    said = "import time:       156 |        388 |     encodings.utf_8\nanother line\n"

    assert list(profiling.read_imports(said)) == [profiling.Import("encodings.utf_8", 156, 388, 2)]


def test_the_plain_work_of_the_machine_is_measured(tmp_path: Path) -> None:
    file = tmp_path / "raw.json"
    done = benchmarks("raw", "--posts", "20", "--rounds", "1", "--json", str(file))

    assert done.returncode == 0, done.stderr
    assert all(seconds > 0 for (seconds,) in json.loads(file.read_text())["seconds"].values())


def soaked(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    small = ["--posts", "10", "--edits", "10", "--seconds", "10", "--port", str(free_port())]
    return benchmarks("soak", *small, "--json", str(folder / "figures.json"), *words)


@pytest.mark.server
def test_a_soak_edits_reads_and_looks_at_the_memory(tmp_path: Path) -> None:
    done = soaked(tmp_path, "--flat", "10")
    figures = json.loads((tmp_path / "figures.json").read_text())

    assert done.returncode == 0, done.stderr
    assert (figures["posts"], figures["failures"]) == (10, [])
    assert figures["answered"] > 0
    assert len(figures["memory"]) == 10
    assert min(figures["memory"]) > 30_000_000


@pytest.mark.server
def test_a_soak_whose_memory_is_not_flat_fails(tmp_path: Path) -> None:
    done = soaked(tmp_path, "--flat", "-1")

    assert done.returncode == 1
    assert "The memory of the origin grew by" in done.stderr


def test_a_soak_with_a_failed_request_fails() -> None:
    found = Soak(1, 1.0, [1] * 5, failures=["/: 500"])

    with pytest.raises(NotFlat, match="1 requests failed; the first: /: 500"):
        found.refuse(1.0)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["freeze", "--posts", "0"], 2, "'0' is not a whole number from 1"),
        (["freeze", "--formulas", "1.5"], 2, "'1.5' is not a number from 0 to 1"),
        (["freeze", "--peers", "nobody"], 1, "'nobody': name hugo, hugo-debian or a checkout"),
        ([], 2, "COMMAND"),
    ],
)
def test_a_wrong_word_is_refused_with_what_is_allowed(
    words: list[str], code: int, said: str
) -> None:
    done = benchmarks(*words)

    assert done.returncode == code
    assert said in done.stderr


def test_a_command_that_fails_is_named_with_what_it_said(tmp_path: Path) -> None:
    words = (sys.executable, "-c", "raise SystemExit('no room')")

    with pytest.raises(Failed, match="ended with 1:\nno room"):
        run(Command(words, tmp_path))


def test_an_interrupted_benchmark_leaves_no_command_behind(tmp_path: Path) -> None:
    endless = (
        "import pathlib, os, time; pathlib.Path('id').write_text(str(os.getpid())); time.sleep(90)"
    )
    waiting = f"""
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from pathlib import Path
from benchmarks.running import Command, run
run(Command((sys.executable, "-c", {endless!r}), Path({str(tmp_path)!r})))
"""
    benchmark = subprocess.Popen([sys.executable, "-c", waiting], cwd=ROOT, stderr=subprocess.PIPE)
    command = int(eventually((tmp_path / "id").read_text))
    benchmark.send_signal(signal.SIGINT)
    benchmark.communicate(timeout=60)

    assert not Path(f"/proc/{command}").exists()


def eventually(read: Callable[[], str]) -> str:
    """What is read once there is something."""
    for _ in range(600):
        with suppress(OSError):
            if found := read():
                return found
        time.sleep(0.1)
    raise TimeoutError


def test_the_memory_of_a_command_is_that_of_all_its_processes(tmp_path: Path) -> None:
    hold = "data = b'x' * 40_000_000; import time; time.sleep(1)"
    child = f"child = subprocess.Popen([sys.executable, '-c', {hold!r}])"
    both = f"import subprocess, sys; {child}; {hold}; child.wait()"
    measuring = f"""
import sys
from pathlib import Path
from benchmarks.running import Command, run
print(run(Command((sys.executable, "-c", {both!r}), Path({str(tmp_path)!r})), memory=True).peak)
"""
    told = subprocess.run(
        [sys.executable, "-c", measuring], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert 80e6 < int(told.stdout) < 200e6


def test_a_run_that_others_disturbed_does_not_count_beside_a_calm_one() -> None:
    calm, disturbed = Run(3.0, 3.0, 0.0, others=0.1), Run(2.0, 1.5, 4.0, others=2.0)
    result = freezing.Result("freeze", "1", {freezing.FULL: [disturbed, calm]})

    assert result.seconds(freezing.FULL) == 3.0


def test_disturbed_runs_count_where_no_run_was_calm() -> None:
    runs = [Run(seconds, 1.0, 4.0, others=9.0) for seconds in (8.0, 9.0, 10.0)]
    result = freezing.Result("freeze", "1", {freezing.FULL: runs})

    assert result.seconds(freezing.FULL) == 9.0


def test_a_disturbed_contestant_is_compared_with_all_runs_of_a_peer() -> None:
    disturbed = [Run(8.0, 1.0, 4.0, others=9.0)]
    mixed = [Run(1.0, 1.0, 0.0, others=0.0), Run(3.0, 1.0, 4.0, others=3.0)]
    ours = freezing.Result("freeze", "1", {freezing.FULL: disturbed})
    peer = freezing.Result("hugo", "1", {freezing.FULL: mixed})

    assert freezing.compared(ours, peer, freezing.FULL, freezing.Result.seconds) == 4.0
    assert freeze_report.marked("4.00", freezing.FULL, ours, peer) == "~ 4.00"
    assert freeze_report.marked("1.00", freezing.FULL, peer) == "1.00"


def test_a_table_is_markdown_with_figures_to_the_right() -> None:
    table = Table("Speed", ("", "s"), [("freeze", "1.00")])

    assert table.markdown() == "**Speed**\n\n|  | s |\n| --- | ---: |\n| freeze | 1.00 |\n"
