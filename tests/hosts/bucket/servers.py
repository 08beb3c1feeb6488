"""A server of S3's protocol, whose bucket is also a website."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import sleep

from tests import requirements
from tests.hosts.servers import run_server
from tests.ports import free_port

BUCKET_NAME = "studio.example"
KEYS = {
    "AWS_ACCESS_KEY_ID": "S3RVER",
    "AWS_SECRET_ACCESS_KEY": "S3RVER",
    "AWS_REGION": "us-east-1",
}
WEBSITE_SETTINGS = Path(__file__).parent / "website.xml"
S3RVER_PROGRAM = Path(__file__).parent / "node_modules/s3rver/bin/s3rver.js"


@dataclass(frozen=True)
class BucketServer:
    """The server has an object `KEY` in the file `KEY._S3rver_object` of a folder."""

    port: int
    folder: Path

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def published_release(self) -> str:
        """The release that the bucket's ledger names.

        The server answers a PUT before it has written the object, which S3 does not do.
        """
        ledger = self.folder / ".release.json._S3rver_object"
        for _ in range(1000):
            if match := re.search(r'"release":"(.+?)"', ledger.read_text()):
                return match.group(1)
            sleep(0.01)
        raise TimeoutError(ledger)


@contextmanager
def serve_bucket(folder: Path) -> Iterator[BucketServer]:
    """Serve the bucket in a folder, which may be empty."""
    node = requirements.needs_program("node", "nodejs")
    if not S3RVER_PROGRAM.exists():
        requirements.missing(
            "NOT TESTED ON A BUCKET: `npm ci --prefix tests/hosts/bucket` installs one."
        )
    port, data = free_port(), folder / "data"
    data.mkdir(exist_ok=True)
    where = ["-a", "127.0.0.1", "-p", str(port), "-d", str(data)]
    bucket = ["--configure-bucket", BUCKET_NAME, str(WEBSITE_SETTINGS)]
    with run_server([node, str(S3RVER_PROGRAM), *where, *bucket], folder, port, {}):
        yield BucketServer(port, data / BUCKET_NAME)
