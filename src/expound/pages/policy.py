"""What a browser may load and run on our pages: the content policies, and the headers of every page that is served."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Mapping

_TRUST = " 'strict-dynamic'"  # the browser's word for it
# A page in one file brings its style along and fetches nothing; should a text ever slip through unescaped, the
# browser still runs nothing of it.
IN_ONE_FILE = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def one_file_with(script: str, *, may_load: bool = False) -> str:
    """The policy of a page in one file that has this script, known by its hash; nothing else in the page is run.

    With `may_load` the script may load others, such as the parts of a page that is kept in a folder.
    """
    digest = b64encode(hashlib.sha256(script.encode()).digest()).decode()
    # What the script itself puts into the page may run; what a text might bring along may not.
    return f"{IN_ONE_FILE}; script-src 'sha256-{digest}'{_TRUST if may_load else ''}"


# The same page from a server: no other site may frame it, and no <base> may turn its links elsewhere.
IN_ONE_FILE_SERVED = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'"

# A page in one file that has a policy of its own, from a server: as if it came from nowhere, so that it can neither use
# the reader's session nor be framed, whatever an answer in it might bring about.
BESIDE_ITS_OWN = "sandbox allow-scripts; frame-ancestors 'none'; base-uri 'none'"

# A page of templates: scripts and styles are files of the same server, never written into the page.
OF_TEMPLATES = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)

HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": OF_TEMPLATES,
    "X-Content-Type-Options": "nosniff",
    # Links hold secrets: no other site may learn where a reader came from.
    "Referrer-Policy": "no-referrer",
    # A shared computer must not show one person's page to the next.
    "Cache-Control": "no-store",
}
