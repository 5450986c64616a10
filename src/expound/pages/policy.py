"""What a browser may load and run on our pages: the content policies, and the headers of every page that is served."""

from __future__ import annotations

from collections.abc import Mapping

# A page in one file brings its style along and fetches nothing; should a text ever slip through unescaped, the
# browser still runs nothing of it.
IN_ONE_FILE = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

# The same page from a server: no other site may frame it, and no <base> may turn its links elsewhere.
IN_ONE_FILE_SERVED = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'"

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
