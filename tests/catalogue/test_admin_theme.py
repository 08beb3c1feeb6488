"""The templates of the theme that the desk replaces."""

from hashlib import sha256
from pathlib import Path

import pytest
import unfold
from django.conf import settings
from django.test import Client
from selectolax.lexbor import LexborHTMLParser

from tests import factories
from tests.admin_pages import form_address

REPLACED = {
    "admin/base.html": "2ce9250b3c649e3a",
    "admin/change_list.html": "5885c39760f6085d",
    "admin/change_list_results.html": "1a2a072727ae72f9",
    "unfold/helpers/edit_inline/tabular_heading.html": "eef46d03bc1655ad",
    "unfold/helpers/help_text.html": "7c3b12a6d62de9a3",
    "unfold/layouts/skeleton.html": "66af9f0bb45f98ba",
    "unfold/layouts/unauthenticated.html": "768501529f1a8dae",
}
"""The digests of the theme's templates that were read before the desk replaced them."""


def test_a_replaced_template_of_the_theme_is_as_it_was_when_it_was_replaced() -> None:
    """After an upgrade, compare both templates, take over what is good, and note the new digest."""
    [folder] = settings.TEMPLATES[0]["DIRS"]
    upstream = Path(unfold.__file__).parent / "templates"
    names = sorted(str(file.relative_to(folder)) for file in Path(folder).rglob("*.html"))
    digests = {name: sha256((upstream / name).read_bytes()).hexdigest()[:16] for name in names}

    assert digests == REPLACED


@pytest.mark.django_db
def test_the_help_of_an_input_is_what_describes_it(admin_client: Client) -> None:
    post = factories.make_post()
    page = LexborHTMLParser(admin_client.get(form_address(post)).content.decode())
    described = {
        each.attributes["aria-describedby"] for each in page.css("[aria-describedby^=id_]")
    }

    assert "id_slug_helptext" in described
    assert all(page.css(f"#{name}") for name in described)


@pytest.mark.django_db
def test_each_input_of_an_inline_has_a_label(editor: Client) -> None:
    page = editor.get(form_address(factories.make_symbol().topic))
    rows = page.context["inline_admin_formsets"][0].formset.forms[0]

    labels = {bound.name: bound.field.widget.attrs.get("aria-label") for bound in rows}
    assert labels["symbol"] == "Symbol"
    assert labels["meaning_vi"] == "Meaning, Vietnamese"
