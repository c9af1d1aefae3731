import pytest

from telusur.errors import UsageError
from telusur.fetch.addresses import is_local_name, is_public, may_connect, parse_endpoint


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "127.8.9.10", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254",
        "100.64.0.1", "0.0.0.0", "224.0.0.1", "255.255.255.255", "::", "::1", "fe80::1",
        "fe80::1%eth0", "fc00::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
        "64:ff9b::7f00:1", "2002:7f00:1::", "240.0.0.1", "192.0.2.1", "198.18.0.1",
        "192.0.0.1", "192.0.0.192", "192.0.0.9", "192.88.99.1", "168.63.129.16", "203.0.113.1",
        "fec0::1", "3fff::1", "3fff:fff::1", "5f00::1", "100::1", "2001:2::1", "2001:db8::1",
        "64:ff9b:1::1", "::8.8.8.8", "4000::1", "2001:0:7f00:1:0:0:f5ff:fffe", "2002:a9fe:a9fe::",
    ],
)  # fmt: skip
def test_private_and_special_addresses_are_not_public(address):
    assert not is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        *("93.184.216.34", "8.8.8.8", "2606:4700::1111", "1.1.1.1", "192.0.1.1", "168.63.129.17"),
        *("2a00:1450:4001:80b::200e", "64:ff9b::808:808", "2002:808:808::", "198.20.0.1"),
    ],
)
def test_addresses_of_the_internet_are_public(address):
    assert is_public(address)


def test_an_allowed_address_is_one_address_and_one_port():
    allowed = {parse_endpoint("127.0.0.1:8000"), parse_endpoint("[0:0::1]:9000")}
    assert may_connect("127.0.0.1", 8000, allowed)
    assert may_connect("::1", 9000, allowed)
    assert may_connect("1.1.1.1", 80, allowed)
    for address, port in [("127.0.0.1", 8001), ("127.0.0.2", 8000), ("::ffff:127.0.0.1", 8000)]:
        assert not may_connect(address, port, allowed)


@pytest.mark.parametrize(
    "text",
    ["", "localhost:80", "127.0.0.1", "127.0.0.1:", "127.0.0.1:0", "1.1.1.1:70000", "::1:80"],
)
def test_what_is_no_address_and_port_is_named(text):
    with pytest.raises(UsageError, match="is not an address and a port"):
        parse_endpoint(text)


@pytest.mark.parametrize(
    ("name", "is_local"),
    [
        ("localhost", True), ("localhost.", True), ("a.LOCALHOST.", True), ("intranet", True),
        ("printer.local", True), ("metadata.google.internal", True), ("nas.home.arpa", True),
        ("example.org", False), ("far.example.", False), ("local.example.org", False),
    ],
)  # fmt: skip
def test_names_of_the_network_around_are_known(name, is_local):
    assert is_local_name(name) is is_local
