"""A connection to a host by the addresses that were looked at: what is checked is what is connected to.

A name is looked up once. Were it looked up again for the connection, its owner could answer with a public address
first and with one of the user's own network then (DNS rebinding).
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
from collections.abc import Sequence

from expound.errors import AddressRefused, FetchFailed

# All of IPv6 that was given out to the open internet; the rest is reserved, local, or holds an IPv4 address in a form
# that some machines unwrap (::127.0.0.1, 64:ff9b:1::/48).
_GIVEN_OUT = ipaddress.ip_network("2000::/3")
# Kept for protocols (RFC 6890): no pages stand there, and Python calls some of them global.
_OF_PROTOCOLS = ipaddress.ip_network("192.0.0.0/24")
# IPv6 addresses of a NAT64 gateway hold an IPv4 address in their last 32 bits (RFC 6052).
_NAT64 = ipaddress.ip_network("64:ff9b::/96")


def look_up(host: str, port: int, *, private: bool) -> list[str]:
    """The numeric addresses of a host; one that is not public is refused, unless private ones are allowed."""
    try:
        # As the name server says it, for this one connection: nothing is asked for again.
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise AddressRefused(f"{host} cannot be found ({error}); check the address and the network") from None
    numeric = [str(entry[4][0]) for entry in found]
    if not private and (closed := next((address for address in numeric if not is_public(address)), "")):
        raise AddressRefused(
            f"{host} is {closed}, an address of this machine or of its own network; with --private it is fetched"
        )
    return list(dict.fromkeys(numeric))


def is_public(address: str) -> bool:
    """Whether a numeric address is one of the open internet, also where it is wrapped into another."""
    parsed = ipaddress.ip_address(address)
    if isinstance(parsed, ipaddress.IPv6Address):
        if inner := _unwrap_address(parsed):
            return is_public(str(inner))
        return parsed in _GIVEN_OUT and parsed.is_global
    return parsed.is_global and not parsed.is_multicast and parsed not in _OF_PROTOCOLS


def _unwrap_address(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """The IPv4 address that a mapped, a 6to4, a Teredo or a NAT64 address leads to."""
    if address in _NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)


def connect(scheme: str, host: str, port: int, numeric: Sequence[str]) -> http.client.HTTPConnection:
    """An open connection to the first of the addresses that takes one; with TLS for https, for the host's name."""
    made = http.client.HTTPConnection(host, port, timeout=SILENT_SECONDS)
    # Given its socket, `http.client` looks nothing up and asks no proxy.
    made.sock = _reach(numeric, host, port)
    if scheme == "https":
        made.sock = _encrypt(made.sock, host)
    return made


_MOST_TRIED = 4  # addresses of one host: each may be silent for half a minute, and a name may have hundreds
SILENT_SECONDS = 30.0
"""How long a server may say nothing: a round figure, after which people think that it is down."""


def _reach(numeric: Sequence[str], host: str, port: int) -> socket.socket:
    reason = "it has no address"
    for address in numeric[:_MOST_TRIED]:
        try:
            return socket.create_connection((address, port), timeout=SILENT_SECONDS)
        except OSError as error:
            reason = error.strerror or str(error)
    raise FetchFailed(f"{host} cannot be reached ({reason}); check the address and the network")


def _encrypt(plain: socket.socket, host: str) -> ssl.SSLSocket:
    try:
        return ssl.create_default_context().wrap_socket(plain, server_hostname=host)
    except ssl.SSLCertVerificationError as error:
        plain.close()
        how = "if the server is yours, set SSL_CERT_FILE to a file with its certificate"
        raise AddressRefused(f"the certificate of {host} is not trusted ({error.verify_message}); {how}") from None
    except OSError as error:
        plain.close()
        raise FetchFailed(f"{host} does not speak TLS ({error}); is it an http:// address?") from None
