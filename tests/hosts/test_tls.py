"""The TLS configurations in `docs/hosts.md` pass parity on real servers."""

import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from site_mirror.hosts.table import HOSTS
from tests.freeze import processes
from tests.hosts import servers
from tests.hosts.certificates import Certificate, make_certificate
from tests.hosts.conftest import FrozenSite
from tests.hosts.servers import CLIENTS
from tests.ports import free_port

pytestmark = [
    pytest.mark.server,
    pytest.mark.exhaustive("makes certificates for nginx; parity over TLS takes minutes"),
]

HOSTS_PAGE = (processes.PROJECT / "docs/hosts.md").read_text()
HOST_NAME, SITE = "studio.example", "https://studio.example"


def read_example(language: str) -> str:
    """Return the only example of the document in a language."""
    [example] = re.findall(rf"^```{language}\n(.*?)^```$", HOSTS_PAGE, re.DOTALL | re.MULTILINE)
    return str(example)


def replace_paths(text: str, folder: Path, certificate: Certificate) -> str:
    """Replace the documented paths by those of this test."""
    paths = {
        "/srv/studio/nginx": str(folder),
        "/etc/ssl/studio.pem": str(certificate.chain),
        "/etc/ssl/studio.key": str(certificate.key),
    }
    for documented, path in paths.items():
        text = text.replace(documented, path)
    return text


@contextmanager
def serve_nginx(frozen: FrozenSite, folder: Path, text: str) -> Iterator[int]:
    port = free_port()
    servers.write_configuration("nginx", frozen.release, folder, port)
    listening = text.replace("listen 443 ", f"listen 127.0.0.1:{port} ")
    assert listening != text
    (folder / "nginx.conf").write_text(f"pid nginx.pid;\n{listening}")
    words = servers.server_command("nginx", frozen.release, folder, port)
    with servers.run_server(words, folder, port, dict(os.environ)):
        yield port


def run_parity(
    frozen: FrozenSite, host: str, port: int, authority: Path
) -> subprocess.CompletedProcess[str]:
    clients = [word for client in CLIENTS[-20:] for word in ("--client", client)]
    options = ("--connect", f"127.0.0.1:{port}", "--ca-file", str(authority), "--host", host)
    release = str(frozen.release.folder)
    words = ("parity", SITE, release, *options, *clients)
    return processes.run("manage.py", *words, database=frozen.database)


def test_the_documented_tls_configuration_of_nginx_has_parity(
    retired_site: FrozenSite, tmp_path: Path
) -> None:
    certificate = make_certificate(tmp_path, HOST_NAME)
    text = replace_paths(read_example("nginx"), tmp_path, certificate)
    with serve_nginx(retired_site, tmp_path, text) as port:
        process = run_parity(retired_site, "nginx", port, certificate.authority)

    assert process.returncode == 0, process.stdout


def test_parity_reports_a_certificate_of_an_unknown_authority(
    retired_site: FrozenSite, tmp_path: Path
) -> None:
    certificate = make_certificate(tmp_path, HOST_NAME)
    (tmp_path / "other").mkdir()
    other = make_certificate(tmp_path / "other", HOST_NAME)
    text = replace_paths(read_example("nginx"), tmp_path, certificate)
    with serve_nginx(retired_site, tmp_path, text) as port:
        process = run_parity(retired_site, "nginx", port, other.authority)

    assert process.returncode == 2
    assert "certificate verify failed" in process.stderr


def test_a_file_without_certificates_is_a_usage_error(
    retired_site: FrozenSite, tmp_path: Path
) -> None:
    (tmp_path / "empty").touch()
    for name in ("empty", "missing"):
        process = run_parity(retired_site, next(iter(HOSTS)), 1, tmp_path / name)

        assert process.returncode == 2
        assert "is not a file of certificates in PEM" in process.stderr
