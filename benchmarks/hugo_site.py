"""The corpus as a Hugo site, whose theme writes the same three documents for each post."""

import json
import shutil
from pathlib import Path
from zoneinfo import ZoneInfo

from benchmarks import corpus
from benchmarks.corpus import Article

THEME = Path(__file__).parent / "theme"
ZONE = ZoneInfo("Asia/Ho_Chi_Minh")
"""The default `TIME_ZONE` of the project, in which pages show moments."""


def write_site(folder: Path, count: int) -> None:
    shutil.copytree(THEME, folder)
    for article in corpus.articles(count):
        write_article(folder, article)


def write_article(folder: Path, article: Article) -> None:
    """Write front matter and Markdown; values are JSON, which is YAML, too."""
    members = {
        "slug": article.slug,
        "title": article.title,
        "summary": article.excerpt,
        "date": article.published.astimezone(ZONE).isoformat(),
        "tags": article.tags,
        "years": [str(article.published.year)],
    }
    lines = (f"{name}: {json.dumps(value)}" for name, value in members.items())
    text = "\n".join(("---", *lines, "---", "", article.body, ""))
    (folder / "content" / "posts" / f"{article.slug}.md").write_text(text)
