"""Links may lead only to public hosts."""

import pytest

from site_mirror.gates.hosts import find_faults, host_fault

ROOT = "https://studio.example"
LOCAL = "leads to a host that is not on the public internet"
OTHER_NAME = "leads to this site by another name than https://studio.example"


@pytest.mark.parametrize(
    "link",
    [
        "http://localhost:8000/x",
        "https://localhost",
        "http://app.localhost/",
        "http://127.0.0.1/",
        "http://127.9.9.9:80/",
        "http://[::1]:3000/",
        "http://0.0.0.0/",
        "http://10.0.0.1/",
        "http://172.16.5.5/",
        "http://192.168.1.20/x",
        "http://169.254.1.1/",
        "http://[fd00::1]/",
        "http://printer.local/",
        "http://wiki.internal/",
        "http://studio.test/",
        "http://intranet/x",
        "http://router.home/",
        "http://wiki.corp/",
        "http://printer.localdomain/",
        "http://224.0.0.1/",
        "http://[ff02::1]/",
        "http://LOCALHOST./",
        "http://１２７.０.０.１/",
        "//localhost/x",
    ],
)
def test_a_link_to_a_private_host_is_refused(link: str) -> None:
    assert host_fault(link, ROOT) == LOCAL


@pytest.mark.parametrize(
    "link",
    [
        "http://studio.example/x",
        "https://studio.example:8443/x",
        "HTTPS://studio.example/x",
        "https://Studio.Example/x",
        "https://www.studio.example/",
        "https://staging.studio.example/x",
        "https://dev-studio.example/x",
        "https://stu\u00addio.example/about",
        "https://stud\u2060io.example/about",
        "https://ｓtudio.example/about",
        "https://preview-2.studio.example/x".replace("-2", ""),
        "HTTPS://staging.STUDIO.example/x",
    ],
)
def test_a_link_to_this_site_by_another_name_is_refused(link: str) -> None:
    assert host_fault(link, ROOT) == OTHER_NAME


@pytest.mark.parametrize(
    "link",
    [
        "https://studio.example/x",
        "https://studio.example",
        "https://elsewhere.example/x",
        "https://status.studio.example/",
        "https://studio.example.org/",
        "https://staging.elsewhere.example/",
        "https://8.8.8.8/",
        "https://8.8.8.8./",
        "https://elsewhere.example:65535/",
        f"https://{'a' * 63}.example/",
        f"https://{'a.' * 123}example/",
        "https://1.elsewhere.example/",
        "https://[2606:4700::1111]/",
        "https://test.com/",
        "https://âm-thanh.example/",
        "https://%C3%A2m-thanh.example/",
        "https://âm-thanh。example/",
        "https://under_score.elsewhere.example./",
        "mailto:a@localhost",
        "mailto:?subject=Hello",
        "mailto:a@m%C3%BCnchen.example?subject=a@b",
        "ws://[x",
        "foo://[bar]/",
        "https://xn--m-thanh-owa.example/",
        "https://[::ffff:8.8.8.8]/",
        "/blog",
        "#x",
        "ftp://localhost/",
    ],
)
def test_a_link_to_another_site_is_allowed(link: str) -> None:
    assert host_fault(link, ROOT) == ""


@pytest.mark.parametrize("root", ["http://127.0.0.1:8000", "http://localhost:8000"])
@pytest.mark.parametrize("link", ["http://localhost:3000/", "http://127.0.0.1:9/", "http://[::1]/"])
def test_a_local_site_root_allows_links_to_itself(root: str, link: str) -> None:
    assert host_fault(link, root) == ""


@pytest.mark.parametrize("root", [ROOT, "http://localhost:8000"])
@pytest.mark.parametrize(
    "link",
    [
        "http://[::1/x",
        "https:/nope",
        "https:nope",
        "HTTPS:/nope",
        "https://",
        "https:///nope",
        "https://?x",
        "//",
        "///nope",
        "https://:443/",
        "https://studio.example\\nope",
        "https://studio.example%5Cnope",
        "https://elsewhere..example/",
        "https://.elsewhere.example/",
        "https://elsewhere.example../",
        "https://else where.example/",
        "https://elsewhere.example^/",
        "https://ex,ample.com/",
        "https://(example).com/",
        "https://-a.example/",
        "https://a-.example/",
        "https://xn--a.example/",
        "https://xn--zz--9.example/",
        "https://a%2Fb.example/",
        "https://elsewhere.example;8080/",
        "https://else\ufffdwhere.example/",
        "https://else\u202ewhere.example/",
        "https://\u0301elsewhere.example/",
        "https://[v7.abc]/",
        "https://[2606:4700::1111%25eth0]/",
        f"https://{'中' * 60}.example/",
        "mailto:a@-x",
        "mailto:a@..",
        "https://256.1.1.1/",
        "https://1.1.1.1.1/",
        "https://0x7f.1/",
        "https://127.1/",
        "https://2130706433/",
        "https://elsewhere.1/",
        "https://１２７.1/",
        f"https://{'a' * 64}.example/",
        f"https://{'â' * 60}.example/",
        f"https://{'a.' * 124}example/",
        "https://elsewhere.example:99999/",
        "https://elsewhere.example:abc/",
        "https://elsewhere.example:0/",
    ],
)
def test_a_link_with_an_invalid_host_is_refused(link: str, root: str) -> None:
    assert host_fault(link, root) == "has no host that can be read"


def test_a_fault_names_the_document_and_the_link() -> None:
    links = ["http://localhost/", "https://elsewhere.example/", "http://studio.example/x"]

    assert [*find_faults("/blog/x", links, ROOT)] == [
        f"/blog/x links to http://localhost/, which {LOCAL}",
        f"/blog/x links to http://studio.example/x, which {OTHER_NAME}",
    ]
