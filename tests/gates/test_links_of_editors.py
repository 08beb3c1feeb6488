"""The admin and the gates of a freeze agree on links in texts."""

from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from catalogue.linking import Checker
from catalogue.models import Post, Studio
from tests import factories
from tests.gates.broken_families import ROOT, run_freeze, run_refused_freeze

ADDRESSES = [
    *("/", "/vi", "/apps", "/about", "/vi/about", "/science", "/timeline.md", "/llms.txt"),
    *("/apps/wheria", "/vi/apps/wheria", "/apps/wheria.md", "/icons/wheria.svg", "/apps/nope"),
    *("/blog/tags/acoustics", "/blog/tags/nope", "/blog/years/2025", "/blog/years/1999"),
    *("/api/v1", "/api/v1/", "/api/v1/apps", "/api/v1/apps.json", "/api/v1/apps/wheria"),
    *("/api/v1/apps/nope", "/api/v2/", "/openapi.json", "/blog/feed.xml", "/assets/nope.css"),
    *(
        "/vi/nope",
        "/apps/",
        "/Apps",
        "/blog/why-our-apps-have-no-accounts",
        "/admin/",
        "/vi/blog/x",
    ),
]
PLACES = ["", "", "", "#", "#top", "#nope", "#team_", "#acoustics", "#a-place", "?x=1", "?x=1#nope"]
OUTSIDE = [
    "https://elsewhere.example/nope",
    "mailto:a@mail.example",
    "http://localhost:8000/apps",
    "https://staging.studio.example/apps",
    "https:/apps/nope",
    "https:nope",
    "https:///nope",
    f"{ROOT}\\nope",
    "https://elsewhere..example/",
    "https://âm-thanh.example/",
    "#a-place",
    "#nope",
    "",
]
FORMS = [
    "[text]({0})",
    "[text](<{0}>)",
    '[text]({0} "title")',
    "![words]({0})",
    "[text][ref]\n\n[ref]: {0}",
    "- item [a]({0})\n  > quoted [b]({0})",
    "| a |\n| - |\n| [t]({0}) |",
    "Note[^n]\n\n[^n]: See [it]({0}).",
    "**[bold]({0})** and [![image]({0})](/about)",
    "`[code]({0})` and\n\n```md\n[x]({0})\n```",
    "\\[no link]({0})",
]

targets = st.one_of(
    st.builds("{}{}".format, st.sampled_from(ADDRESSES), st.sampled_from(PLACES)),
    st.builds(f"{ROOT}{{}}{{}}".format, st.sampled_from(ADDRESSES), st.sampled_from(PLACES)),
    st.sampled_from(OUTSIDE),
)
texts = st.builds(lambda form, target: form.format(target), st.sampled_from(FORMS), targets)


def write_posts(bodies: list[str]) -> Iterator[Post]:
    for number, body in enumerate(bodies):
        yield factories.make_post(slug=f"generated-{number}", body_en=f"## A place\n\n{body}")


@pytest.mark.parametrize(
    "freezes",
    [1, pytest.param(3, marks=pytest.mark.exhaustive("freezes three times 60 generated texts"))],
)
def test_a_text_that_the_admin_accepts_is_frozen(freezes: int, site: Path) -> None:
    @settings(max_examples=freezes, phases=[Phase.generate])
    @given(st.lists(texts, min_size=60, max_size=60, unique=True))
    def freeze_accepted(bodies: list[str]) -> None:
        Post.objects.filter(slug__startswith="generated-").delete()
        posts = list(write_posts(bodies))
        checker = Checker()
        dead = [post.pk for post in posts if checker.dead_of(post)]
        Post.objects.filter(pk__in=dead).delete()

        assert 0 < len(dead) < len(posts)
        run_freeze(site.parent / f"site-{uuid4()}")

    freeze_accepted()


PLAIN = [
    *(f"{ROOT}/about", f"{ROOT}/nope", "HTTP://localhost/x", "Http://localhost:3000"),
    *(ROOT.replace("https", "HTTPS"), f"{ROOT.upper()}/about", "https://elsewhere.example/nope"),
    *("ws://[x", "foo://[bar]/", "://x", "https://ex,ample.com/", "https:/x", f"{ROOT}/about#nope"),
    *(f"{ROOT}/about#:~:text=a", "HTTPS://WWW.elsewhere.example"),
]
SENTENCES = [
    *("{}", "{}.", "{}!", "{}:", "{}…", "“{}”", "({})", "<{}>", "See {}.", "{}, and more", "{}?"),
    *("{}\n{}.", "a{}", "{}\t"),
]
FIELDS = ["title_en", "excerpt_en"]


def test_a_plain_text_that_the_admin_accepts_is_frozen(site: Path) -> None:
    """Every address in every sentence, in titles, excerpts and acknowledgements."""
    checker = Checker()
    dead, lines, kept = list[int](), list[str](), list[str]()
    for number, address in enumerate(PLAIN):
        for place, sentence in enumerate(SENTENCES):
            text = sentence.format(address, address).strip()
            for field in FIELDS:
                shown = " ".join(text.split()) if field == "title_en" else text
                slug = f"plain-{number}-{place}-{field.partition('_')[0]}"
                post = factories.make_post(slug=slug, **{field: shown})
                if checker.dead_of(post):
                    dead.append(post.pk)
            lines.append(" ".join(text.split()))
    Post.objects.filter(pk__in=dead).delete()
    studio = Studio.objects.get()
    for line in lines:
        studio.thanks = line
        if not checker.dead_of(studio):
            kept.append(line)
    studio.thanks = "\n".join(kept)
    studio.save()

    assert 0 < len(dead) < Post.objects.filter(slug__startswith="plain-").count() * 10
    assert 0 < len(kept) < len(lines)
    run_freeze(site)


REFUSED = [
    *("/apps/nope", "/about#nope", "/apps/", "/api/v2/", "nope", "#nope", f"{ROOT}/nope"),
    *("http://localhost/", "https:/apps", "https:nope", "https:///apps", f"{ROOT}\\apps"),
    "/vi/blog/generated-0",
]


def test_a_link_that_the_admin_refuses_is_refused_by_a_freeze(site: Path) -> None:
    posts = [*write_posts([f"[x]({link})" for link in REFUSED])]
    checker = Checker()

    assert [len(checker.dead_of(post)) for post in posts] == [1] * len(REFUSED)
    refused = run_refused_freeze(site)
    words = {*refused.failures("links"), *refused.failures("hosts")}
    named = {each.partition(" ")[0] for each in words}
    assert named >= {f"/blog/generated-{number}" for number in range(len(REFUSED))}
    assert refused.failed <= {"links", "hosts"}
