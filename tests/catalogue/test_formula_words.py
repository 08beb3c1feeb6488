"""The admin warns of a formula that holds words, because somebody wrote of money."""

import pytest
from django.test import Client

from catalogue.models import Post
from catalogue.texts.markdown import formula_warnings
from tests import factories
from tests.admin_pages import form_address, form_data

MONEY = [
    ("Giá 5$, không phải 10$.", ["không", "phải"]),
    ("It costs (5$) to 10$, not 9.", ["to"]),
    ("Từ 3$đến 5$.", ["đến"]),
    ("A $5 bill and a 10$ note.", ["bill", "and"]),
    ("> - Bán được 20$, lãi 5$", ["lãi"]),
    ("Über 5$, für 10$.", ["für"]),
    ("Giá 5$, ba 10$.", ["ba"]),
    ("Mua (5$) ra (10$).", ["ra"]),
    ("It is 5$/month, 10$ before.", ["month"]),
]
FORMULAS = [
    r"$E = mc^2$, $\sin x \cdot \cos y$, $a^{bcd}_{max}$, $\Delta t$, $αβγδ$",
    r"$ABC$, $\triangle ABC \sim \triangle MNP$, $\widehat{ABC} = \widehat{xOy} = 90^\circ$",
    r"$V = abc$, $E_p = mgh$, $PV = nRT$, $v = at + v_0$, $b^2 - 4 ac > 0$, $\iint f(x) dx dy$",
    r"$v = 3\,\text{mét trên giây}$, $\mathrm{Hz} \operatorname{argmax}_{x}$",
    r"$$\begin{matrix} a & b \end{matrix}$$",
    r"5\$, không phải 10\$; 5 $ and 10 $; no dollars",
    "`5$, không phải 10$`\n\n```\n$không phải$\n```",
]


@pytest.mark.parametrize(("text", "words"), MONEY)
def test_words_between_dollars_are_found_with_their_line(text: str, words: list[str]) -> None:
    (warning,) = formula_warnings(f"First.\n\nSecond.\n\n{text}")

    assert warning.line == 5
    assert {*words} <= {*warning.words}
    assert str(warning).startswith("Line 5: the formula $")


@pytest.mark.parametrize("text", FORMULAS)
def test_a_formula_without_words_is_not_warned_of(text: str) -> None:
    assert formula_warnings(text) == []


@pytest.mark.django_db
def test_no_shipped_formula_is_warned_of(shipped_site: None) -> None:
    bodies = (body for row in Post.objects.values_list("body_en", "body_vi") for body in row)

    assert [formula_warnings(body) for body in bodies if formula_warnings(body)] == []


@pytest.mark.django_db
def test_a_saved_text_with_such_a_formula_is_warned_of(admin_client: Client) -> None:
    post = factories.make_post(title_vi="Giá", excerpt_vi="Một câu.", body_vi="Giá.")
    address = form_address(post)
    typed = form_data(admin_client.get(address)) | {"body_vi": "Đây.\n\nGiá 5$, không phải 10$."}
    page = admin_client.post(address, typed, follow=True)

    warnings = [str(each) for each in page.context["messages"] if each.level_tag == "warning"]
    assert len(warnings) == 1
    assert warnings[0].startswith("Body, Vietnamese. Line 3: the formula $, không phải 10$ holds")
