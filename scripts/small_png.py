"""Make a picture of a page small: a palette of 256 colours, as text and flat surfaces allow."""

import base64
import struct
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import Page

COLOURS = 256
# The most frequent colours are kept as they are: surfaces, lines, ink.
KEPT = 160
# A browser knows how to read a PNG; writing one is easy.
_READ_PIXELS = """async (data) => {
  const image = new Image();
  image.src = `data:image/png;base64,${data}`;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const { data: pixels } = context.getImageData(0, 0, image.width, image.height);
  let text = "";
  for (let at = 0; at < pixels.length; at += 32768) {
    text += String.fromCharCode(...pixels.subarray(at, at + 32768));
  }
  return [image.width, image.height, btoa(text)];
}"""

Bytes = NDArray[np.uint8]


def shrink(png: bytes, tab: Page) -> bytes:
    """Return a picture with at most 256 colours; `tab` is an empty page."""
    width, height, pixels = tab.evaluate(_READ_PIXELS, base64.b64encode(png).decode())
    rgba = np.frombuffer(base64.b64decode(pixels), np.uint8).reshape(height * width, 4)
    packed = rgba[:, :3].astype(np.uint32) @ np.array([65536, 256, 1], np.uint32)
    colours, places, counts = np.unique(packed, return_inverse=True, return_counts=True)
    parts = np.stack([colours >> 16, (colours >> 8) & 255, colours & 255], axis=1).astype(np.int32)
    palette = _choose(parts, counts)
    nearest = np.concatenate(
        [_nearest(parts[at : at + 4096], palette) for at in range(0, len(parts), 4096)]
    )
    return _write(nearest[places].astype(np.uint8).reshape(height, width), palette)


def _choose(colours: NDArray[Any], counts: NDArray[Any]) -> NDArray[Any]:
    """Return the most frequent colours, and for the rest the means of those that are alike."""
    order = np.argsort(-counts, kind="stable")
    kept, rest = order[:KEPT], order[KEPT:]
    if len(colours) <= COLOURS:
        return colours
    cells = (colours[rest] >> 5) @ np.array([64, 8, 1])
    means = []
    for cell in np.unique(cells):
        inside = rest[cells == cell]
        weights = counts[inside]
        means.append((weights.sum(), (colours[inside] * weights[:, None]).sum(0) // weights.sum()))
    means.sort(key=lambda mean: -int(mean[0]))
    return np.vstack([colours[kept], *[mean for _, mean in means[: COLOURS - KEPT]]])


def _nearest(colours: NDArray[Any], palette: NDArray[Any]) -> NDArray[Any]:
    away: NDArray[Any] = ((colours[:, None, :] - palette[None, :, :]) ** 2).sum(2)
    return away.argmin(1)


def _write(places: Bytes, palette: NDArray[Any]) -> bytes:
    height, width = places.shape
    rows = np.hstack([np.zeros((height, 1), np.uint8), places])  # no filter before each row
    chunks = [
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
        (b"PLTE", palette.astype(np.uint8).tobytes()),
        (b"IDAT", zlib.compress(rows.tobytes(), 9)),
        (b"IEND", b""),
    ]
    written = b"\x89PNG\r\n\x1a\n"
    for kind, data in chunks:
        check = struct.pack(">I", zlib.crc32(kind + data))
        written += struct.pack(">I", len(data)) + kind + data + check
    return written
