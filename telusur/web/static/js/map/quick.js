// Draws links and discs directly into image data: rough, and many times faster than a
// canvas without a graphics card. Used while things move; a map at rest is drawn well.

const FRACTION = 65_536;

/** Return a colour of the design system, "#rrggbb", as a picture keeps it; with some of another. */
export const packColour = (colour, other = colour, share = 0) => {
  const parts = (text) => [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16));
  const [front, back] = [parts(other), parts(colour)];
  const [red, green, blue] = back.map((value, at) => Math.round(value + (front[at] - value) * share));
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
};

/** Return a function that draws the first links of a scene and all its nodes. */
export const makeQuickPainter = (scene) => {
  let picture = null;
  let pixels = null;

  return (context, size, transform, ink, most) => {
    const { width, height } = context.canvas;
    if (picture?.width !== width || picture?.height !== height) {
      picture = context.createImageData(width, height);
      pixels = new Uint32Array(picture.data.buffer);
    }
    pixels.fill(ink.surface);
    const scale = transform.k * size.ratio;
    const x = scene.x.map((value) => value * scale + transform.x * size.ratio);
    const y = scene.y.map((value) => value * scale + transform.y * size.ratio);
    for (let at = 0; at < most; at += 1) {
      const [a, b] = [scene.source[at], scene.target[at]];
      drawLine(pixels, width, height, x[a], y[a], x[b], y[b], ink.line);
    }
    for (let at = 0; at < scene.count; at += 1) {
      const radius = Math.max(scene.radius[at] * scale, 1);
      drawDisc(pixels, width, height, x[at], y[at], radius, ink.nodes(at));
    }
    context.putImageData(picture, 0, 0);
  };
};

const drawLine = (pixels, width, height, x0, y0, x1, y1, colour) => {
  // Clip to the picture first (Liang and Barsky).
  const [dx, dy] = [x1 - x0, y1 - y0];
  let first = 0;
  let last = 1;
  for (let side = 0; side < 4; side += 1) {
    const along = side === 0 ? -dx : side === 1 ? dx : side === 2 ? -dy : dy;
    const room = side === 0 ? x0 : side === 1 ? width - 1.01 - x0 : side === 2 ? y0 : height - 1.01 - y0;
    if (along === 0 && room < 0) return;
    if (along < 0) first = Math.max(first, room / along);
    else if (along > 0) last = Math.min(last, room / along);
  }
  if (first > last) return;
  const [left, top] = [x0 + first * dx, y0 + first * dy];
  const steps = Math.ceil((last - first) * Math.max(Math.abs(dx), Math.abs(dy)));
  const across = steps ? Math.trunc((((last - first) * dx) / steps) * FRACTION) : 0;
  const down = steps ? Math.trunc((((last - first) * dy) / steps) * FRACTION) : 0;
  let x = Math.trunc(left * FRACTION);
  let y = Math.trunc(top * FRACTION);
  for (let step = 0; step <= steps; step += 1) {
    pixels[(y >> 16) * width + (x >> 16)] = colour;
    x += across;
    y += down;
  }
};

const drawDisc = (pixels, width, height, x, y, radius, colour) => {
  const bottom = Math.min(Math.round(y + radius), height);
  for (let row = Math.max(Math.round(y - radius), 0); row < bottom; row += 1) {
    const half = Math.sqrt(Math.max(radius * radius - (row + 0.5 - y) ** 2, 0));
    const start = Math.max(Math.round(x - half), 0);
    const end = Math.min(Math.round(x + half), width);
    if (end > start) pixels.fill(colour, row * width + start, row * width + end);
  }
};
