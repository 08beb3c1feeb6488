"""What lies where in a release's folder.

public/          what hosts serve
errors/          bodies of errors, for host configurations
manifest.jsonl   what is served at each address
manifest.sig     the signature of the manifest's checksum, if there is a key
SHA256SUMS       checksums of all of the above, for `sha256sum -c`
removed.txt      addresses that the release before answered and this one does not
places.txt       places on pages (`address#name`) that other documents link to
report.json      what the freeze did
portions.jsonl   which documents were made together, and of what: for the next freeze
entries          items of lists, of the same documents
seal.json        metadata of the files of which these are parts, and of the public files
outline.json     the OpenAPI document without content: for the next freeze of the same program
made.json        what all of it was made of: a freeze that would repeat it has nothing to do
"""

PUBLIC = "public"
ERRORS = "errors"
MANIFEST = "manifest.jsonl"
SIGNATURE = "manifest.sig"
CHECKSUMS = "SHA256SUMS"
REMOVED = "removed.txt"
PLACES = "places.txt"
REPORT = "report.json"
PORTIONS = "portions.jsonl"
ENTRIES = "entries"
SEAL = "seal.json"
OUTLINE = "outline.json"
MADE = "made.json"

PARTS = (
    PUBLIC,
    ERRORS,
    MANIFEST,
    SIGNATURE,
    CHECKSUMS,
    REMOVED,
    PLACES,
    REPORT,
    PORTIONS,
    ENTRIES,
    SEAL,
    OUTLINE,
    MADE,
)

SERVED = (MANIFEST, CHECKSUMS, SIGNATURE)
"""The files by which two releases are the same or not."""
