"""A page as HTML and as Markdown, from the same content."""

from django.template.loader import get_template

from catalogue import addresses, markdown
from catalogue.addresses import Site
from site_mirror.content import PageContent

LABELS = {
    "en": {
        "page": "Page",
        "index": "Index for language models",
        "read": "Read this page as Markdown",
        "other": "Tiếng Việt",
    },
    "vi": {
        "page": "Trang",
        "index": "Mục lục cho mô hình ngôn ngữ",
        "read": "Đọc trang này dạng Markdown",
        "other": "English",
    },
}
LANGUAGE_OF_OTHER = {"en": "vi", "vi": "en"}


def html(site: Site, content: PageContent) -> bytes:
    """The page as HTML, UTF-8."""
    context = {
        "site": site,
        "content": content,
        "canonical": site.url(content.address),
        "english": content.english and site.url(content.english),
        "vietnamese": content.vietnamese and site.url(content.vietnamese),
        "labels": LABELS[content.language],
        "other_language": LANGUAGE_OF_OTHER[content.language],
        "body": markdown.to_html(content.body),
    }
    return get_template("site_mirror/page.html").render(context).encode()


def mirror(site: Site, content: PageContent) -> bytes:
    """The page as Markdown, UTF-8: its heading, where it and the index are, and the same text."""
    labels = LABELS[content.language]
    parts = [
        f"# {content.title}",
        f"> {content.summary}" if content.summary else "",
        " · ".join(
            (
                f"{labels['page']}: <{site.url(content.address)}>",
                f"{labels['index']}: <{site.url(addresses.LLMS)}>",
                *([f"{content.published:%Y-%m-%d}"] if content.published else []),
            )
        ),
        content.body.strip(),
    ]
    return ("\n\n".join(part for part in parts if part) + "\n").encode()
