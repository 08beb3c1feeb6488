"""Labels for screen readers and error messages, in the language of the page."""

from msgspec import Struct

from catalogue.texts.localized import ENGLISH, VIETNAMESE


class Labels(Struct, frozen=True):
    """The labels of a language.

    `section` and `table` are followed by their words, `footnote` and `back` by a number,
    `not_shown` by a reason.
    """

    code: str
    table: str
    formula: str
    section: str
    footnotes: str
    footnote: str
    back: str
    not_shown: str


LABELS = {
    ENGLISH: Labels(
        code="Code",
        table="Table",
        formula="Formula",
        section="Link to the section",
        footnotes="Footnotes",
        footnote="Footnote",
        back="Back to reference",
        not_shown="This text cannot be shown.",
    ),
    VIETNAMESE: Labels(
        code="Đoạn mã",
        table="Bảng",
        formula="Công thức",
        section="Liên kết đến mục",
        footnotes="Chú thích",
        footnote="Chú thích",
        back="Về lại chỗ dẫn chú thích",
        not_shown="Không thể hiển thị nội dung này.",
    ),
}
