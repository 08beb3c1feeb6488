"""What lies where in a release's folder.

public/          what hosts serve
errors/          bodies of errors, for host configurations
manifest.jsonl   what is served at each address
manifest.sig     the signature of the manifest's checksum, if there is a key
SHA256SUMS       checksums of all of the above, for `sha256sum -c`
removed.txt      addresses that the release before answered and this one does not
places.txt       places on pages (`address#name`) that other documents link to
report.json      what the freeze did
"""

PUBLIC = "public"
ERRORS = "errors"
MANIFEST = "manifest.jsonl"
SIGNATURE = "manifest.sig"
CHECKSUMS = "SHA256SUMS"
REMOVED = "removed.txt"
PLACES = "places.txt"
REPORT = "report.json"

PARTS = (PUBLIC, ERRORS, MANIFEST, SIGNATURE, CHECKSUMS, REMOVED, PLACES, REPORT)

SERVED = (MANIFEST, CHECKSUMS, SIGNATURE)
"""The files by which two releases are the same or not."""
