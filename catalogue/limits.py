"""Limits on the length and depth of texts, each with its unit and its error message.

A form refuses a text beyond a limit. If a script or a database client stored such a text, a page
shows the message instead. All limits are several times above the largest shipped text. They limit
time, memory and the depth of recursion in the libraries that render texts.
"""

from msgspec import Struct

from catalogue.localized import ENGLISH, VIETNAMESE


class Limit(Struct, frozen=True):
    """A maximum and the beginning of its error message in two languages.

    `{found}` is a number, `{where}` a line number or the beginning of a text.
    """

    maximum: int
    english: str
    vietnamese: str


MARKDOWN_LENGTH = Limit(100_000, "The text has {found} characters", "Văn bản dài {found} ký tự")
"""Characters of a Markdown text."""

PLAIN_LENGTH = Limit(20_000, "The text has {found} characters", "Văn bản dài {found} ký tự")
"""Characters of a plain text of several lines."""

NESTED_BLOCKS = Limit(
    20,
    "The quote or list in line {where} is nested {found} levels deep",
    "Trích dẫn hoặc danh sách ở dòng {where} lồng nhau {found} cấp",
)
"""Levels of quotes and lists inside each other."""

NESTED_SPANS = Limit(
    50,
    "The emphasis in line {where} is nested {found} levels deep",
    "Phần nhấn mạnh ở dòng {where} lồng nhau {found} cấp",
)
"""Levels of emphasis, strong and deleted text inside each other."""

HEADINGS = Limit(200, "The text has {found} headings", "Văn bản có {found} đề mục")
"""Headings of a text."""

TABLE_COLUMNS = Limit(
    50, "The table in line {where} has {found} columns", "Bảng ở dòng {where} có {found} cột"
)
"""Columns of a table."""

TABLE_CELLS = Limit(
    10_000, "The tables of the text have {found} cells", "Các bảng trong văn bản có {found} ô"
)
"""Cells of all tables of a text, including those that the library adds to short rows."""

FORMULAS = Limit(500, "The text has {found} formulas", "Văn bản có {found} công thức")
"""Formulas of a text."""

FOOTNOTES = Limit(
    500, "The text refers to footnotes {found} times", "Văn bản dẫn chú thích {found} lần"
)
"""References to footnotes of a text."""

FORMULA_LENGTH = Limit(
    2_000,
    "The formula “{where}” has {found} characters",
    "Công thức “{where}” dài {found} ký tự",
)
"""Characters of a formula."""

FORMULA_SIGNS = Limit(
    300,
    "The formula “{where}” has {found} commands, brackets and scripts",
    "Công thức “{where}” có {found} lệnh, dấu ngoặc và chỉ số",
)
"""Commands, opening brackets, sub- and superscripts of a formula, which limit its nesting."""

CODE_LENGTH = Limit(
    4_000,
    "The code in line {where} has {found} characters and names a language",
    "Đoạn mã ở dòng {where} có khai báo ngôn ngữ và dài {found} ký tự",
)
"""Characters of a code block that is coloured; a longer block is shown without colours."""

TOTAL_CODE_LENGTH = Limit(
    20_000,
    "The code blocks of the text that name a language have {found} characters",
    "Các đoạn mã có khai báo ngôn ngữ trong văn bản dài {found} ký tự",
)
"""Characters of all code blocks of a text that are coloured."""

ICON_LENGTH = Limit(20_000, "The icon has {found} characters", "Biểu tượng dài {found} ký tự")
"""Characters of the SVG source of an icon."""

ICON_ELEMENTS = Limit(500, "The icon has {found} elements", "Biểu tượng có {found} phần tử")
"""Elements of an icon."""

ICON_DEPTH = 64
"""Levels of elements inside elements of an icon."""

MAX_QUOTED_FORMULA_CHARACTERS = 40
"""Characters of a formula that an error message quotes."""


class LimitExceeded(ValueError):
    """A text beyond a limit: `found` is its number, `where` a line or the first characters."""

    def __init__(self, limit: Limit, found: int, where: str = "") -> None:
        self.limit, self.found, self.where = limit, found, where
        super().__init__(self.message_in(ENGLISH))

    def message_in(self, language: str) -> str:
        """Return the error message in a language of the site."""
        found, most = f"{self.found:,}", f"{self.limit.maximum:,}"
        if language == VIETNAMESE:
            found, most = found.replace(",", "."), most.replace(",", ".")
            words = self.limit.vietnamese.format(found=found, where=self.where)
            return f"{words}; giới hạn cho phép là {most}."
        words = self.limit.english.format(found=found, where=self.where)
        return f"{words}; at most {most} are allowed."


def check_limit(limit: Limit, found: int, where: str = "") -> None:
    """Raise `LimitExceeded` if a number is greater than a limit."""
    if found > limit.maximum:
        raise LimitExceeded(limit, found, where)


def shorten_formula(latex: str) -> str:
    """Return the beginning of a formula, as an error message quotes it."""
    if len(latex) <= MAX_QUOTED_FORMULA_CHARACTERS:
        return latex
    return f"{latex[:MAX_QUOTED_FORMULA_CHARACTERS]}…"
