"""A server of files without configuration, such as `python -m http.server`."""

from site_mirror.hosts.capabilities import NO_BUDGET, ONLY_FILES, Capability
from site_mirror.hosts.host import Host

HEADERS_OF_FILE = "its headers depend only on a file's name and date"
NOT_IMPLEMENTED = "it answers 501"


class FileServer(Host):
    """The host with the fewest capabilities: a folder over HTTP."""

    name = "file-server"
    cannot = {
        Capability.ADDRESSES: "it finds a file only by its whole name",
        Capability.MEDIA_TYPES: HEADERS_OF_FILE,
        Capability.VALIDATORS: HEADERS_OF_FILE,
        Capability.HEADERS: HEADERS_OF_FILE,
        Capability.VARIANTS: "it does not look for a compressed file beside the requested one",
        Capability.ETAG_CONDITIONS: "it has no entity tags",
        Capability.DATE_CONDITIONS: "its dates are those of the files, not of the manifest",
        Capability.PRECONDITIONS: "it ignores these conditions",
        Capability.NEGOTIATION: ONLY_FILES,
        Capability.NOT_FOUND: "its 404 is an HTML page of its own",
        Capability.NOTHING_ELSE: "it sends every file of the folder, and lists folders",
        Capability.METHODS: NOT_IMPLEMENTED,
        Capability.PREFLIGHT: NOT_IMPLEMENTED,
        Capability.CANONICAL: ONLY_FILES,
        Capability.REDIRECTS: ONLY_FILES,
        Capability.WRONG_HOST: "it answers for every name",
        Capability.RATE_LIMIT: NO_BUDGET,
    }
