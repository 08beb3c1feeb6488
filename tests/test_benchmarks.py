"""The commands of the benchmarks run and print what they measured. No time is asserted."""

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

from benchmarks import commands, freeze_report, freezing, profiling
from benchmarks.running import Command, CommandFailed, Run, run_command
from benchmarks.soak import NotFlat, Soak
from benchmarks.tables import Table
from tests.ports import free_port

ROOT = Path(__file__).resolve().parent.parent
POSTS = 20
of_a_measured_freeze = pytest.mark.exhaustive("measures a freeze in a process of its own")


def run_benchmarks(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "benchmarks", *words]
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300
    )


@pytest.fixture(scope="module")
def figures_of_freeze(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The figures of `freeze` for a small corpus, without peers."""
    folder = tmp_path_factory.mktemp("figures_of_freeze")
    words = ["--posts", str(POSTS), "--rounds", "1", "--peers", "", "--patience", "0"]
    words += ["--growth", "30", "--disk", str(folder), "--json", str(folder / "figures.json")]
    done = run_benchmarks("freeze", *words, "--markdown", str(folder / "tables.md"))
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in folder.iterdir()) == ["figures.json", "tables.md"]
    figures: dict[str, Any] = json.loads((folder / "figures.json").read_text())
    return figures | {"tables": (folder / "tables.md").read_text()}


@of_a_measured_freeze
def test_a_freeze_is_measured_full_edited_and_unchanged(figures_of_freeze: dict[str, Any]) -> None:
    (ours,) = figures_of_freeze["contestants"]

    assert tuple(ours["cases"]) == freezing.CASES
    assert all(len(case["runs"]) == 1 for case in ours["cases"].values())
    assert all(run["seconds"] > 0 for case in ours["cases"].values() for run in case["runs"])


@of_a_measured_freeze
def test_a_measured_freeze_publishes_the_corpus(figures_of_freeze: dict[str, Any]) -> None:
    (ours,) = figures_of_freeze["contestants"]

    assert ours["files"] > 3 * POSTS
    assert ours["bytes"] > 3 * POSTS * 1000


@of_a_measured_freeze
def test_the_memory_of_a_freeze_is_measured(figures_of_freeze: dict[str, Any]) -> None:
    (ours,) = figures_of_freeze["contestants"]

    assert 20e6 < ours["peakBytes"] < 2e9


@of_a_measured_freeze
def test_growth_is_measured_on_a_larger_corpus(figures_of_freeze: dict[str, Any]) -> None:
    assert figures_of_freeze["growth"]["posts"] == 30
    assert figures_of_freeze["growth"]["over"] > 0


@of_a_measured_freeze
def test_the_tables_are_markdown(figures_of_freeze: dict[str, Any]) -> None:
    assert f"**Freeze of {POSTS} posts: wall time" in figures_of_freeze["tables"]
    assert "| --- | ---: |" in figures_of_freeze["tables"]


@pytest.mark.exhaustive("profiles a freeze in a process of its own")
def test_a_profile_names_functions_of_the_project_and_imports(tmp_path: Path) -> None:
    file = tmp_path / "profile.json"
    done = run_benchmarks("profile", "--posts", str(POSTS), "--top", "5", "--json", str(file))
    figures = json.loads(file.read_text())
    names = {function["name"].partition(":")[0] for function in figures["functions"]}
    modules = {module["name"] for module in figures["imports"]}

    assert done.returncode == 0, done.stderr
    assert "site_mirror/snapshot/freeze.py" in names
    assert {"django", "site_mirror.freeze.site"} <= modules


def test_imports_are_read_from_the_output_of_python() -> None:
    said = "import time:       156 |        388 |     encodings.utf_8\nanother line\n"

    assert list(profiling.parse_imports(said)) == [profiling.Import("encodings.utf_8", 156, 388, 2)]


@pytest.mark.exhaustive("measures the machine")
def test_the_plain_work_of_the_machine_is_measured(tmp_path: Path) -> None:
    file = tmp_path / "raw.json"
    done = run_benchmarks("raw", "--posts", "20", "--rounds", "1", "--json", str(file))

    assert done.returncode == 0, done.stderr
    assert all(seconds > 0 for (seconds,) in json.loads(file.read_text())["seconds"].values())


def run_soak(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    small = ["--posts", "10", "--edits", "10", "--seconds", "10", "--port", str(free_port())]
    return run_benchmarks("soak", *small, "--json", str(folder / "figures.json"), *words)


@pytest.mark.exhaustive("measures the memory of the live origin")
@pytest.mark.server
def test_a_soak_edits_reads_and_measures_memory(tmp_path: Path) -> None:
    done = run_soak(tmp_path, "--flat", "10")
    figures = json.loads((tmp_path / "figures.json").read_text())

    assert done.returncode == 0, done.stderr
    assert (figures["posts"], figures["failures"]) == (10, [])
    assert figures["answered"] > 0
    assert len(figures["memory"]) == 10
    assert min(figures["memory"]) > 30_000_000


@pytest.mark.exhaustive("measures the memory of the live origin")
@pytest.mark.server
def test_a_soak_whose_memory_is_not_flat_fails(tmp_path: Path) -> None:
    done = run_soak(tmp_path, "--flat", "-1")

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
        (["freeze", "--peers", "nobody"], 1, "'nobody': name hugo, hugo-compressed, hugo-debian"),
    ],
)
def test_an_invalid_argument_is_refused_with_the_allowed_values(
    words: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        sys.exit(commands.main(words))

    assert ended.value.code == code
    assert said in capsys.readouterr().err


def test_a_call_without_a_command_names_the_commands() -> None:
    done = run_benchmarks()

    assert done.returncode == 2
    assert "COMMAND" in done.stderr


def test_a_failed_command_is_named_with_its_output(tmp_path: Path) -> None:
    words = (sys.executable, "-c", "raise SystemExit('no room')")

    with pytest.raises(CommandFailed, match="ended with 1:\nno room"):
        run_command(Command(words, tmp_path))


def test_an_interrupted_benchmark_leaves_no_command_behind(tmp_path: Path) -> None:
    endless = (
        "import pathlib, os, time; pathlib.Path('id').write_text(str(os.getpid())); time.sleep(90)"
    )
    waiting = f"""
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from pathlib import Path
from benchmarks.running import Command, run_command
run_command(Command((sys.executable, "-c", {endless!r}), Path({str(tmp_path)!r})))
"""
    benchmark = subprocess.Popen([sys.executable, "-c", waiting], cwd=ROOT, stderr=subprocess.PIPE)
    command = int(wait_for_text((tmp_path / "id").read_text))
    benchmark.send_signal(signal.SIGINT)
    benchmark.communicate(timeout=60)

    assert not Path(f"/proc/{command}").exists()


def wait_for_text(read: Callable[[], str]) -> str:
    """Read until there is a text."""
    for _ in range(600):
        with suppress(OSError):
            if found := read():
                return found
        time.sleep(0.1)
    raise TimeoutError


@pytest.mark.exhaustive("measures the memory of processes")
def test_the_memory_of_a_command_is_that_of_all_its_processes(tmp_path: Path) -> None:
    hold = "data = b'x' * 40_000_000; import time; time.sleep(1)"
    child = f"child = subprocess.Popen([sys.executable, '-c', {hold!r}])"
    both = f"import subprocess, sys; {child}; {hold}; child.wait()"
    measuring = f"""
import sys
from pathlib import Path
from benchmarks.running import Command, run_command
command = Command((sys.executable, "-c", {both!r}), Path({str(tmp_path)!r}))
print(run_command(command, memory=True).peak)
"""
    output = subprocess.run(
        [sys.executable, "-c", measuring], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert 80e6 < int(output.stdout) < 200e6


def test_a_disturbed_run_does_not_count_beside_an_undisturbed_one() -> None:
    calm, disturbed = Run(3.0, 3.0, 0.0, others=0.1), Run(2.0, 1.5, 4.0, others=2.0)
    result = freezing.Result("freeze", "1", {freezing.FULL: [disturbed, calm]})

    assert result.seconds(freezing.FULL) == 3.0


def test_disturbed_runs_count_if_every_run_was_disturbed() -> None:
    runs = [Run(seconds, 1.0, 4.0, others=9.0) for seconds in (8.0, 9.0, 10.0)]
    result = freezing.Result("freeze", "1", {freezing.FULL: runs})

    assert result.seconds(freezing.FULL) == 9.0


def test_a_disturbed_contestant_is_compared_with_all_runs_of_a_peer() -> None:
    disturbed = [Run(8.0, 1.0, 4.0, others=9.0)]
    mixed = [Run(1.0, 1.0, 0.0, others=0.0), Run(3.0, 1.0, 4.0, others=3.0)]
    ours = freezing.Result("freeze", "1", {freezing.FULL: disturbed})
    peer = freezing.Result("hugo", "1", {freezing.FULL: mixed})

    assert freezing.result_ratio(ours, peer, freezing.FULL, freezing.Result.seconds) == 4.0
    assert freeze_report.mark_disturbed("4.00", freezing.FULL, ours, peer) == "~ 4.00"
    assert freeze_report.mark_disturbed("1.00", freezing.FULL, peer) == "1.00"


def test_a_table_is_markdown_with_figures_to_the_right() -> None:
    table = Table("Speed", ("", "s"), [("freeze", "1.00")])

    assert table.markdown() == "**Speed**\n\n|  | s |\n| --- | ---: |\n| freeze | 1.00 |\n"
