"""The files and folders of a release.

public/               the files that hosts serve
errors/               bodies of errors, for host configurations
manifest.jsonl        the file, headers and checksums of each address
SHA256SUMS            checksums of the files above, for `sha256sum -c`
removed.txt           addresses of the previous release that this one does not have
report.json           the report of the freeze
cache/                the build cache; without it the next freeze is slower:
  state.json          inputs of the release, and metadata of its files
  batches/            the result of each batch, named by its digest
  anchors.txt         anchors of pages (`address#name`) that other documents link to
  content.json        the rows of the release, without which the desk only counts what differs
"""

PUBLIC = "public"
ERRORS = "errors"
MANIFEST = "manifest.jsonl"
CHECKSUMS = "SHA256SUMS"
REMOVED = "removed.txt"
REPORT = "report.json"
CACHE = "cache"
STATE = f"{CACHE}/state.json"
BATCHES = f"{CACHE}/batches"
ANCHORS = f"{CACHE}/anchors.txt"
CONTENT = f"{CACHE}/content.json"

RELEASE_PARTS = (PUBLIC, ERRORS, MANIFEST, CHECKSUMS, REMOVED, REPORT, CACHE)

SIGNATURE_SUFFIXES = (".asc", ".minisig", ".sig")
"""Names of files that people may add to a release to sign its checksums."""
