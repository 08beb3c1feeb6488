"""The corpus as a Hugo site, whose theme writes the same three documents for each post."""

import json
import shutil
from pathlib import Path
from zoneinfo import ZoneInfo

from benchmarks.corpus import Article, Corpus, Text

THEME = Path(__file__).parent / "theme"
POSTS = Path("content") / "posts"
ZONE = ZoneInfo("Asia/Ho_Chi_Minh")
"""The default `TIME_ZONE` of the project, in which pages show moments."""
MATHS_TEMPLATE = Path("layouts") / "_default" / "_markup" / "render-passthrough.html"


def write_site(folder: Path, corpus: Corpus, count: int, *, maths: bool) -> None:
    """Write a site; without `maths`, which an old Hugo cannot write, formulas are not converted."""
    shutil.copytree(THEME, folder)
    if not maths:
        (folder / MATHS_TEMPLATE).unlink()
    for article in corpus.articles(count):
        write_article(folder, article)


def write_article(folder: Path, article: Article) -> None:
    english = folder / POSTS / f"{article.slug}.md"
    english.write_text(article_page(article, article.english))
    if article.vietnamese:
        # The Vietnamese page has no API document, because the API has one document for each post.
        text = article_page(article, article.vietnamese, outputs=["html", "mirror"])
        english.with_suffix(".vi.md").write_text(text)


def article_page(article: Article, text: Text, **more: object) -> str:
    """Return front matter and Markdown; values are JSON, which is YAML, too."""
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
