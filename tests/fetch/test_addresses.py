import pytest

from telusur.adapters.addresses import is_public, may_connect, parse_endpoint
from telusur.errors import UsageError


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "127.8.9.10", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254",
        "100.64.0.1", "0.0.0.0", "224.0.0.1", "255.255.255.255", "::", "::1", "fe80::1",
        "fe80::1%eth0", "fc00::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
        "64:ff9b::7f00:1", "2002:7f00:1::", "240.0.0.1", "192.0.2.1", "198.18.0.1",
    ],
)  # fmt: skip
def test_private_and_special_addresses_are_not_public(address):
    assert not is_public(address)


@pytest.mark.parametrize("address", ["93.184.216.34", "8.8.8.8", "2606:4700::1111", "1.1.1.1"])
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
