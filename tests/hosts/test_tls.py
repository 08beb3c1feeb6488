"""The TLS configurations in `docs/hosts.md` pass parity on real servers."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.freeze import processes
from tests.hosts import servers
from tests.hosts.certificates import make_certificate
from tests.hosts.conftest import FrozenSite
from tests.hosts.servers import CLIENTS
from tests.ports import free_port

pytestmark = [
    pytest.mark.server,
    pytest.mark.exhaustive("makes certificates for nginx; parity over TLS takes minutes"),
]

HOST_NAME, SITE = "studio.example", "https://studio.example"


def run_parity(frozen: FrozenSite, port: int, authority: Path) -> subprocess.CompletedProcess[str]:
    clients = [word for client in CLIENTS[-20:] for word in ("--client", client)]
    options = ("--connect", f"127.0.0.1:{port}", "--ca-file", str(authority), "--host", "nginx")
    words = ("parity", SITE, str(frozen.release.folder), *options, *clients)
    return processes.run("manage.py", *words, database=frozen.database)


def test_the_documented_tls_configuration_of_nginx_has_parity(
    retired_site: FrozenSite, tmp_path: Path
) -> None:
    certificate, port = make_certificate(tmp_path, HOST_NAME), free_port()
    (tmp_path / "other").mkdir()
    other = make_certificate(tmp_path / "other", HOST_NAME)
    servers.write_documented_tls(retired_site.release, tmp_path, port, certificate)
    words = servers.server_command("nginx", retired_site.release, tmp_path, port)
    with servers.run_server(words, tmp_path, port, dict(os.environ)):
        trusted = run_parity(retired_site, port, certificate.chain)
        untrusted = run_parity(retired_site, port, other.chain)

    assert trusted.returncode == 0, trusted.stdout
    assert untrusted.returncode == 2
    assert "certificate verify failed" in untrusted.stderr
