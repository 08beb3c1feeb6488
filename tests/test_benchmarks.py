"""The benchmarks run, and compare the same documents. No time is asserted."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

from benchmarks import corpus
from benchmarks.freezing import Hugo, Project, newest_hugo
from benchmarks.running import run_command

ROOT = Path(__file__).resolve().parent.parent
POSTS = 20


def run_benchmarks(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "benchmarks", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )


def test_an_unknown_revision_is_reported_in_one_sentence() -> None:
    ended = run_benchmarks("freeze", "--beside", "no-such-revision")

    assert ended.returncode == 1
    assert "'no-such-revision' is not a revision of this Git repository." in ended.stderr


@pytest.mark.exhaustive("measures freezes in processes of their own")
@pytest.mark.parametrize("posts", ["0", str(POSTS)])
def test_freezes_are_measured_beside_an_earlier_revision(posts: str) -> None:
    words = ("--posts", posts, "--rounds", "1", "--alone", "--beside", "HEAD")
    ended = run_benchmarks("freeze", *words)

    assert ended.returncode == 0, ended.stderr
    [ours, earlier, ratios] = ended.stdout.splitlines()[2:5]
    row = r" \d+\.\d\d s \|" * 4 + r" [\d,]+ MB \| [\d,]+ \| [\d,]+ MB \|"
    assert re.fullmatch(rf"\| freeze \|{row}", ours)
    assert re.fullmatch(rf"\| earlier \|{row}", earlier)
    assert re.match(r"\| freeze over earlier \|( \d+\.\d{3} \|){3}", ratios)


@pytest.mark.exhaustive("runs Hugo, which only measurements need")
@pytest.mark.server
def test_hugo_makes_the_same_pages_of_a_post(tmp_path: Path) -> None:
    contestants = Project(), Hugo(newest_hugo())
    for contestant in contestants:
        contestant.prepare(tmp_path, POSTS)
        run_command(contestant.command(tmp_path / contestant.name))
    public = [each.output(tmp_path / each.name) for each in contestants]
    slug = corpus.article(POSTS // 2).slug
    pages = [(each / f"blog/{slug}.html").read_text() for each in public]
    bodies = [LexborHTMLParser(page).body for page in pages]
    mirrors = [(each / f"blog/{slug}.md").read_text() for each in public]

    ours, peers = (split_words(body.text(separator=" ") if body else "") for body in bodies)
    assert ours == peers
    assert split_words(mirrors[0]) == split_words(mirrors[1])


def split_words(text: str) -> list[str]:
    """Return the words except the reading time: each program counts words in its own way."""
    return re.sub(r"\d+ minutes?|\.html\b", "", text).lower().split()
