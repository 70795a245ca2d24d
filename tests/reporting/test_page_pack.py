"""Packed data comes back as it was, and can be no markup."""

import base64
import json
import re
import zlib

import html5lib
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whichword.reporting.page import explorer


def unpacked(blob):
    return zlib.decompress(base64.b64decode(blob, validate=True))


@given(st.lists(st.integers(-128, 127)))
def test_numbers(values):
    assert np.frombuffer(unpacked(explorer.numbers(values, "i1")), "<i1").tolist() == values


def test_numbers_are_little_endian():
    assert unpacked(explorer.numbers([1, 256], "u4")) == b"\x01\x00\x00\x00\x00\x01\x00\x00"
    assert unpacked(explorer.numbers([1.0], "f4")) == b"\x00\x00\x80\x3f"


@pytest.mark.parametrize(("values", "dtype"), [([256], "u1"), ([-1], "u2"), ([128], "i1")])
def test_numbers_that_do_not_fit_are_refused(values, dtype):
    with pytest.raises(ValueError, match="do not fit"):
        explorer.numbers(values, dtype)


@given(st.lists(st.booleans()))
def test_bits(flags):
    data = unpacked(explorer.bits(np.array(flags, dtype=bool)))
    assert [bool(data[i >> 3] >> (i & 7) & 1) for i in range(len(flags))] == flags


@given(st.lists(st.text()))
def test_text(words):
    assert json.loads(unpacked(explorer.text(words))) == words


def test_elements_hold_nothing_but_base64():
    blobs = {"s0/words": explorer.text(["</script><img src=x onerror=alert(1)>", "<!--"])}
    tree = html5lib.parseFragment(explorer.elements(blobs), namespaceHTMLElements=False)
    assert [(node.tag, node.get("id"), node.get("type")) for node in tree] == [
        ("script", "blob/s0/words", "application/octet-stream")
    ]
    assert re.fullmatch("[A-Za-z0-9+/=]+", tree[0].text)
