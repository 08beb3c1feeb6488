"""The corpus of the benchmarks is the same for the same seed, in a database and as a Hugo site."""

import json
import os
import re
import subprocess
import sys
import tomllib
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from statistics import mean

import pytest
import yaml
from selectolax.lexbor import LexborHTMLParser

from benchmarks import database, hugo_site
from benchmarks.contestants import Hugo, Project
from benchmarks.corpus import Article, Corpus
from benchmarks.running import run_command
from catalogue.models import Post
from tests.requirements import needs_program

ROOT = Path(__file__).resolve().parent.parent
POSTS = 20
CORPUS = Corpus(vietnamese=0.5)
DIGEST = """
from hashlib import sha256
from benchmarks.corpus import Corpus
corpus = Corpus(formulas=0.5, programs=0.5, vietnamese=0.5)
print(sha256(repr(list(corpus.articles(20))).encode()).hexdigest())
"""


def test_two_processes_write_the_same_corpus() -> None:
    digests = {
        subprocess.run(
            [sys.executable, "-c", DIGEST],
            cwd=ROOT,
            env={"PATH": os.environ["PATH"], "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }

    assert len(digests) == 1


def test_a_small_corpus_is_the_start_of_a_large_one() -> None:
    small, large = Corpus().articles(5), Corpus().articles(POSTS)

    assert list(small) == list(large)[:5]


def test_another_seed_writes_other_texts() -> None:
    one, other = Corpus(seed=1).articles(POSTS), Corpus(seed=2).articles(POSTS)

    assert {article.english for article in one}.isdisjoint(article.english for article in other)


def test_every_article_has_a_slug_of_its_own() -> None:
    slugs = [article.slug for article in Corpus().articles(2000)]

    assert len(set(slugs)) == len(slugs)
    assert all(re.fullmatch(r"[a-z0-9-]+", slug) for slug in slugs)


def test_an_article_has_about_six_hundred_words() -> None:
    words = mean(len(article.english.body.split()) for article in Corpus().articles(200))

    assert 550 < words < 700


@pytest.mark.parametrize("mark", ["\n## ", "\n- ", "](/", "\n| --- |", "\n> "])
def test_every_article_has_each_kind_of_markdown(mark: str) -> None:
    without = [
        article.slug for article in Corpus().articles(POSTS) if mark not in read_body(article)
    ]

    assert without == []


def read_body(article: Article) -> str:
    return article.english.body


@pytest.mark.parametrize(
    ("option", "has"),
    [
        ("formulas", lambda article: "$" in read_body(article)),
        ("programs", lambda article: "\n```python\n" in read_body(article)),
        ("vietnamese", lambda article: article.vietnamese is not None),
    ],
)
@pytest.mark.parametrize(("share", "least", "most"), [(0.0, 0, 0), (0.5, 60, 140), (1.0, 200, 200)])
def test_a_share_of_the_articles_has_the_requested_size(
    option: str, has: Callable[[Article], bool], share: float, least: int, most: int
) -> None:
    found = sum(map(has, Corpus(**{option: share}).articles(200)))

    assert least <= found <= most


@pytest.mark.exhaustive("measures memory")
def test_memory_does_not_grow_with_the_corpus() -> None:
    assert measure_peak(2000) < 1.5 * measure_peak(200)


def measure_peak(count: int) -> int:
    """Return the peak memory of writing a corpus."""
    tracemalloc.start()
    for _ in Corpus().articles(count):
        pass
    highest = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return highest


def test_an_edit_changes_the_title_and_the_body_of_one_article() -> None:
    article = Corpus().article(3)
    edited = article.edited(1)

    assert edited.slug == article.slug
    assert edited.english.title != article.english.title
    assert edited.english.body.startswith(article.english.body)
    assert edited.english.body != article.english.body


@pytest.fixture(scope="module")
def hugo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Hugo site of the corpus, half of which is translated."""
    site = tmp_path_factory.mktemp("hugo") / "site"
    hugo_site.write_site(site, CORPUS, POSTS, maths=True)
    return site


def test_a_hugo_site_has_a_file_for_each_text(hugo: Path) -> None:
    articles = list(CORPUS.articles(POSTS))
    english = {f"{article.slug}.md" for article in articles}
    vietnamese = {f"{article.slug}.vi.md" for article in articles if article.vietnamese}
    found = {path.name for path in (hugo / hugo_site.POSTS).iterdir()}

    assert found == english | vietnamese | {"_index.md", "_index.vi.md"}


def test_a_hugo_site_says_what_the_article_says(hugo: Path) -> None:
    article = CORPUS.article(0)
    text = (hugo / hugo_site.POSTS / f"{article.slug}.md").read_text()
    _, front, rest = text.split("---\n", 2)

    assert yaml.safe_load(front)["title"] == article.english.title
    assert yaml.safe_load(front)["summary"] == article.english.excerpt
    assert rest.strip() == article.english.body


def test_a_hugo_site_makes_three_documents_of_a_post(hugo: Path) -> None:
    configuration = tomllib.loads((hugo / "hugo.toml").read_text())
    templates = {path.name for path in (hugo / "layouts" / "_default").glob("single.*")}

    assert configuration["outputs"]["page"] == ["html", "json", "mirror"]
    assert templates == {"single.html", "single.json", "single.mirror.md"}


def test_an_old_hugo_gets_no_template_for_formulas(tmp_path: Path) -> None:
    hugo_site.write_site(tmp_path / "site", Corpus(), 1, maths=False)

    assert not (tmp_path / "site" / hugo_site.MATHS_TEMPLATE).exists()


MIDDLE = 10
"""An article without formulas, which old versions of Hugo lack, and with two neighbours."""


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The corpus as published by this project and by Debian's Hugo."""
    folder = tmp_path_factory.mktemp("sites")
    contestants = Project(), Hugo("hugo", Path(needs_program("hugo", "hugo")))
    for contestant in contestants:
        contestant.prepare(folder, CORPUS, POSTS)
        run_command(contestant.command(folder / contestant.name))
    return [each.output(folder / each.name) for each in contestants]


@pytest.mark.exhaustive("runs Hugo, which only measurements need")
@pytest.mark.server
def test_hugo_makes_the_same_page_of_a_post(sites: list[Path]) -> None:
    file = f"blog/{CORPUS.article(MIDDLE).slug}.html"
    ours, peers = (LexborHTMLParser((site / file).read_text()) for site in sites)

    assert read_links(ours) == read_links(peers)
    assert read_head_links(ours) == read_head_links(peers)
    assert read_metadata(ours) == read_metadata(peers)
    assert read_structured_data(ours) == read_structured_data(peers)
    assert read_words(ours) == read_words(peers)


@pytest.mark.exhaustive("runs Hugo, which only measurements need")
@pytest.mark.server
def test_hugo_makes_the_same_mirror_of_a_post(sites: list[Path]) -> None:
    file = f"blog/{CORPUS.article(MIDDLE).slug}.md"
    ours, peers = (split_words((site / file).read_text()) for site in sites)

    assert ours == peers


@pytest.mark.exhaustive("runs Hugo, which only measurements need")
@pytest.mark.server
def test_hugo_lists_the_same_posts_by_topic(sites: list[Path]) -> None:
    topic = CORPUS.article(MIDDLE).tags[0]
    slugs = {article.slug for article in CORPUS.articles(POSTS) if topic in article.tags}
    for site in sites:
        page = LexborHTMLParser((site / f"blog/tags/{topic}.html").read_text())
        assert {link.rpartition("/")[2] for link in read_links(page)} >= slugs
        mirror = (site / f"blog/tags/{topic}.md").read_text()
        assert {slug for slug in slugs if slug in mirror} == slugs


def read_links(page: LexborHTMLParser) -> list[str]:
    return [normalize_address(link.attributes["href"] or "") for link in page.css("body a")]


def read_head_links(page: LexborHTMLParser) -> list[tuple[str, str]]:
    """Return the links to stylesheet, icons, web app manifest and alternates."""
    found = (each.attributes for each in page.css("head link"))
    return [(each["rel"] or "", normalize_address(each["href"] or "")) for each in found]


def read_metadata(page: LexborHTMLParser) -> list[tuple[str, str]]:
    """Return the metadata of link previews and search engines."""
    found = (each.attributes for each in page.css("[property]"))
    return [(each["property"] or "", normalize_address(each["content"] or "")) for each in found]


def read_structured_data(page: LexborHTMLParser) -> list[dict[str, object]]:
    found = page.css("script[type='application/ld+json']")
    return [json.loads(normalize_address(each.text())) for each in found]


def read_words(page: LexborHTMLParser) -> list[str]:
    return split_words(page.body.text(separator=" ") if page.body else "")


def split_words(text: str) -> list[str]:
    """Return the words except the reading time: each program counts words in its own way."""
    return re.sub(r"\d+ minutes?", "", normalize_address(text)).lower().split()


def normalize_address(text: str) -> str:
    """Remove `.html` of Hugo's addresses, and digests in the names of assets."""
    return re.sub(r"(card|icon|site)\.[0-9a-f]{8}|\.html\b", r"\1", text)


@pytest.fixture
def filled(db: None) -> None:
    """The shipped content and the corpus, half of which is translated, in the test database."""
    database.fill_database(CORPUS, POSTS)


def read_rows(*columns: str) -> list[tuple[str, ...]]:
    slugs = [article.slug for article in CORPUS.articles(POSTS)]
    return list(Post.objects.filter(slug__in=slugs).order_by("id").values_list(*columns))


def test_a_database_has_every_article_published_beside_the_shipped_content(filled: None) -> None:
    texts = [
        (article.english.title, article.english.body, article.vietnamese or database.NO_TEXT)
        for article in CORPUS.articles(POSTS)
    ]

    assert read_rows("title_en", "body_en", "body_vi", "state") == [
        (title, body, vietnamese.body, "published") for title, body, vietnamese in texts
    ]
    assert Post.objects.count() > POSTS


def test_an_edit_of_a_database_changes_one_article(filled: None) -> None:
    before = read_rows("body_en")
    database.edit_post(CORPUS.article(3).edited(1))
    pairs = enumerate(zip(before, read_rows("body_en"), strict=True))

    assert [number for number, (old, new) in pairs if old != new] == [3]
    assert read_rows("title_en")[3] == (CORPUS.article(3).edited(1).english.title,)
