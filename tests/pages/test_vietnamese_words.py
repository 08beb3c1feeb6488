"""One thing has one Vietnamese word: for readers, for editors, and in the reference of the API."""

import re
from collections.abc import Iterator

import pytest
import yaml

from tests.pages.test_labels import CATALOGUES, ROOT, read_catalogue, translations_of

REPLACED = {
    "bài viết": "bài đăng, bài blog",
    "chủ đề": "nhãn chủ đề, thẻ phân loại",
    "bản tĩnh": "bản chụp tĩnh, bản chụp",
    "dấu xóa": "kèm bia mộ, dọn bia mộ",
    "đã phát hành": "đang phát hành",
    "đã xuất bản": "ứng dụng đã công bố, bài viết đã công bố, tài nguyên đã công bố",
    "lõi dùng chung": "lõi âm thanh chung",
    "nhà sáng lập": "người sáng lập",
    "biến điện thoại thành dụng cụ đo": "dụng cụ đo làm từ điện thoại",
    "chợ ứng dụng": "cửa hàng ứng dụng",
    "kiểm thử cảm biến": "thử trên bàn, bàn thử",
    "độ bất định": "độ không chắc chắn",
    "đặc tả": "hợp đồng API",
    "endpoint": "điểm cuối API, điểm kiểm tra",
    "phản hồi": "câu trả lời HTTP, trả lời ở địa chỉ",
    "nội dung": "thân phản hồi, phần thân, thân của, có thân",
    "giá trị `ETag`": "gửi lại thẻ, thẻ riêng, thẻ ETag",
    "cửa sổ 60 giây": "khoảng 60 giây",
    "hạn mức": "ngân sách yêu cầu",
    "tiếng dội": "tiếng vọng",
    "trang chỉ mục": "danh bạ API",
    "mục lục cho mô hình ngôn ngữ": "danh mục cho mô hình",
    "không khuyến nghị": "lỗi thời",
    "ngừng hoạt động": "ngừng trả lời, thôi trả lời",
}
"""The word for each thing, and the words that say the same."""


def list_texts() -> Iterator[str]:
    """Yield all Vietnamese texts of the shipped content, of the catalogues and of the guide."""
    for path in (ROOT / "fixtures").rglob("*.yaml"):
        for row in yaml.safe_load(path.read_text()):
            fields = row["fields"].items()
            yield from (str(text) for name, text in fields if name.endswith("_vi"))
    for name in CATALOGUES:
        for forms in translations_of(read_catalogue(name)).values():
            yield from forms
    yield (ROOT / "docs/editing.vi.md").read_text()
    yield (ROOT / "site_mirror/pages/docs/programs/examples.json").read_text()


@pytest.fixture(scope="module")
def texts() -> str:
    return "\n".join(" ".join(text.split()).casefold() for text in list_texts())


@pytest.mark.parametrize("word", REPLACED)
def test_no_text_has_another_word_for_the_thing(word: str, texts: str) -> None:
    others = "|".join(re.escape(other.casefold()) for other in REPLACED[word].split(", "))

    assert re.findall(rf".{{,40}}\b(?:{others})\b.{{,40}}", texts) == []
    assert word.casefold() in texts
