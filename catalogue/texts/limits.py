"""Limits on texts, several times above the largest shipped text.

A form refuses a text beyond a limit, and the database refuses one that is too long.
"""

MARKDOWN_LENGTH = 100_000
"""Characters of a Markdown text."""

PLAIN_LENGTH = 20_000
"""Characters of a plain text of several lines."""

ICON_LENGTH = 20_000
"""Characters of the SVG source of an icon."""

ICON_DEPTH = 64
"""Levels of elements inside elements of an icon."""

DRAWING_BYTES = 200_000
"""Bytes of an image in SVG."""

IMAGE_BYTES = 20 * 1024 * 1024
"""The size of a file from which an image is made."""

IMAGE_PIXELS = 60_000_000
"""Pixels of such a file: those of the cameras of phones."""

IMAGE_WIDTH = 1_600
"""The width in pixels of an image that is published; a larger one is reduced."""

IMAGE_HEIGHT = 4_800
"""The height in pixels of an image that is published; a larger one is reduced."""

FORMULAS = 500
"""Formulas of a text."""

FORMULA_LENGTH = 2_000
"""Characters of a formula."""

FORMULA_SIGNS = 300
"""Commands, opening brackets, sub- and superscripts of a formula, which limit its nesting."""

CODE_LENGTH = 4_000
"""Characters of a code block that is coloured; a longer block is shown without colours."""

TOTAL_CODE_LENGTH = 20_000
"""Characters of all code blocks of a text that are coloured."""
