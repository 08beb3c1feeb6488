"""The extensions of CommonMark that texts may use."""

from collections.abc import Callable

from comrak import ExtensionOptions

Rewrite = Callable[[str], str]


def comrak_extensions(
    rewrite_link: Rewrite | None = None, rewrite_image: Rewrite | None = None
) -> ExtensionOptions:
    options = ExtensionOptions()
    options.table = True
    options.strikethrough = True
    options.footnotes = True
    options.math_dollars = True
    if rewrite_link:
        options.link_url_rewriter = rewrite_link
        options.image_url_rewriter = rewrite_image or rewrite_link
    return options
