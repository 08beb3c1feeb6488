"""Links may lead only to public hosts."""

import pytest

from site_mirror.gates.hosts import find_host_faults, host_fault

ROOT, LOCAL_ROOT = "https://studio.example", "http://localhost:8000"
LOCAL = "leads to a host that is not on the public internet"
OTHER_NAME = f"leads to this site by another name than {ROOT}"
UNREADABLE = "has no host that can be read"
LINKS = {
    LOCAL: [
        *(
            "http://localhost:8000/x",
            "http://app.localhost/",
            "http://LOCALHOST./",
            "//localhost/x",
        ),
        *("http://127.9.9.9:80/", "http://[::1]:3000/", "http://0.0.0.0/", "http://10.0.0.1/"),
        *("http://172.16.5.5/", "http://192.168.1.20/x", "http://169.254.1.1/"),
        *("http://[fd00::1]/", "http://224.0.0.1/", "http://[ff02::1]/", "http://１２７.０.０.１/"),
        *("//localhost/x", "http://printer.local/", "http://wiki.internal/", "http://studio.test/"),
        *("http://intranet/x", "http://a.intranet/x", "http://router.home/", "http://wiki.corp/"),
        *("http://a.home.arpa/", "http://a.lan/", "http://a.localdomain/", "http://a.invalid/"),
    ],
    OTHER_NAME: [
        *("http://studio.example/x", "https://studio.example:8443/x", "HTTPS://studio.example/x"),
        *("https://Studio.Example/x", "https://www.studio.example/", "https://qa.studio.example/"),
        *("https://dev-studio.example/x", "https://preview-test.studio.example/x"),
        *("https://preprod.studio.example/", "HTTPS://staging.STUDIO.example/x"),
        *("https://stage-studio.example/", "https://uat.studio.example/"),
        *("https://stu\u00addio.example/about", "https://ｓtudio.example/about"),
    ],
    "": [
        *("https://studio.example/x", "https://studio.example", "https://elsewhere.example/x"),
        *("https://status.studio.example/", "https://studio.example.org/", "https://test.com/"),
        *("https://staging.elsewhere.example/", "https://elsewhere.example:65535/"),
        *("https://8.8.8.8./", "https://[2606:4700::1111]/", "https://[::ffff:8.8.8.8]/"),
        *(f"https://{'a' * 63}.example/", f"https://{'a.' * 123}example/"),
        *("https://1.elsewhere.example/", "https://under_score.elsewhere.example./"),
        *("https://âm-thanh.example/", "https://%C3%A2m-thanh.example/"),
        *("https://âm-thanh。example/", "https://xn--m-thanh-owa.example/"),
        *(
            "mailto:a@localhost",
            "mailto:?subject=Hello",
            "mailto:a@m%C3%BCnchen.example?subject=a@b",
        ),
        *("ws://[x", "foo://[bar]/", "/blog", "#x", "ftp://localhost/"),
    ],
    UNREADABLE: [
        *("http://[::1/x", "https:/nope", "https:nope", "HTTPS:/nope", "https://", "https://?x"),
        *("//", "///nope", "https://:443/", "https://studio.example\\nope"),
        *("https://elsewhere..example/", "https://.elsewhere.example/", "https://a.example../"),
        *("https://else where.example/", "https://ex,ample.com/", "https://(example).com/"),
        *("https://-a.example/", "https://a-.example/", "https://xn--a.example/"),
        *("https://a%2Fb.example/", "https://studio.example%5Cnope", "mailto:a@-x", "mailto:a@.."),
        *("https://else\ufffdwhere.example/", "https://else\u202ewhere.example/"),
        *("https://[v7.abc]/", "https://[2606:4700::1111%25eth0]/"),
        *("https://256.1.1.1/", "https://0x7f.1/", "https://127.1/", "https://2130706433/"),
        *("https://elsewhere.1/", "https://１２７.1/", f"https://{'a' * 64}.example/"),
        *(f"https://{'â' * 60}.example/", f"https://{'a.' * 124}example/"),
        *("https://a.example:99999/", "https://a.example:abc/", "https://a.example:0/"),
    ],
}


@pytest.mark.parametrize("fault", LINKS, ids=lambda fault: fault or "allowed")
def test_a_link_has_the_fault_of_its_host(fault: str) -> None:
    assert {link: host_fault(link, ROOT) for link in LINKS[fault]} == dict.fromkeys(
        LINKS[fault], fault
    )


def test_a_local_site_root_allows_links_to_itself() -> None:
    for root in ("http://127.0.0.1:8000", LOCAL_ROOT):
        for link in ("http://localhost:3000/", "http://127.0.0.1:9/", "http://[::1]/"):
            assert host_fault(link, root) == ""
    assert {host_fault(link, LOCAL_ROOT) for link in LINKS[UNREADABLE]} == {UNREADABLE}


def test_two_domains_that_are_names_of_copies_are_two_sites() -> None:
    assert host_fault("https://qa.example/", "https://dev.example") == ""


def test_a_fault_names_the_document_and_the_link() -> None:
    links = ["http://localhost/", "https://elsewhere.example/", "http://studio.example/x"]

    assert [*find_host_faults("/blog/x", links, ROOT)] == [
        f"/blog/x links to http://localhost/, which {LOCAL}",
        f"/blog/x links to http://studio.example/x, which {OTHER_NAME}",
    ]
