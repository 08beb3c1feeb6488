"""The corpus as a Hugo site whose theme makes the same three documents a post."""

import json
import shutil
from pathlib import Path
from zoneinfo import ZoneInfo

from benchmarks.corpus import Article, Corpus, Text

THEME = Path(__file__).parent / "theme"
POSTS = Path("content") / "posts"
ZONE = ZoneInfo("Asia/Ho_Chi_Minh")
"""The `TIME_ZONE` of the project when it is not configured: pages show instants in it."""
MATHS = Path("layouts") / "_default" / "_markup" / "render-passthrough.html"


def write_site(folder: Path, corpus: Corpus, count: int, *, maths: bool) -> None:
    """A whole site; without `maths`, which old Hugos cannot make, formulas stay as they are."""
    shutil.copytree(THEME, folder)
    if not maths:
        (folder / MATHS).unlink()
    for article in corpus.articles(count):
        write_article(folder, article)


def write_article(folder: Path, article: Article) -> None:
    english = folder / POSTS / f"{article.slug}.md"
    english.write_text(page(article, article.english))
    if article.vietnamese:
        # The API has one document a post: the Vietnamese page has only its mirror.
        text = page(article, article.vietnamese, outputs=["html", "mirror"])
        english.with_suffix(".vi.md").write_text(text)


def page(article: Article, text: Text, **more: object) -> str:
    """Front matter and Markdown; a value of JSON is one of YAML."""
    members = {
        "slug": article.slug,
        "title": text.title,
        "summary": text.excerpt,
        "date": article.published.astimezone(ZONE).isoformat(),
        "tags": article.tags,
        "years": [str(article.published.year)],
        **more,
    }
    lines = (f"{name}: {json.dumps(value)}" for name, value in members.items())
    return "\n".join(("---", *lines, "---", "", text.body, ""))
