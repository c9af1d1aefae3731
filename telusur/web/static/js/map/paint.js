// Draws a scene on a canvas; while something moves, only in as much detail as the machine can keep up with.

import { makeQuickPainter, packColour } from "./quick.js";

const HUES = 17; // twelve of sites, five of topic scores
const SLOW_MS = 27;
const QUICK_MS = 19;
const LEAST_LINKS = 400;
const LABELS = 14;
const LABEL_CHARS = 36;
const AT_ONCE = 1000;
const MANY_LINKS = 1500;
const THIN = 0.3;
const FAINT = 0.45;

/** Return the colours of the design system as they are now. */
export const readColours = () => {
  const style = getComputedStyle(document.documentElement);
  const read = (name) => style.getPropertyValue(`--${name}`).trim();
  return {
    hues: Array.from({ length: HUES }, (_, at) => read(`hue-${at}`)),
    line: read("line"),
    strong: read("line-strong"),
    ink: read("ink"),
    surface: read("surface"),
    accent: read("accent"),
    mark: read("state-failed"),
    font: read("font"),
  };
};

/** Return a function that draws, and returns how many links; it learns from the time between frames
 * how it may draw what moves: well, quickly, or quickly and not all of it. */
export const makePainter = (scene) => {
  const paintQuickly = makeQuickPainter(scene);
  let isSlow = false;
  let allowed = scene.source.length;
  let last = 0;

  const learn = (now, isMoving) => {
    const between = now - last;
    last = now;
    if (!isMoving || between > 500) return;
    if (between < QUICK_MS) allowed = Math.min(scene.source.length, Math.ceil(allowed * 1.1));
    else if (between > SLOW_MS && isSlow) allowed = Math.max(LEAST_LINKS, Math.floor(allowed * 0.8));
    else if (between > SLOW_MS) isSlow = true;
  };

  return (context, size, transform, colours, { isMoving = false, now = 0 } = {}) => {
    learn(now, isMoving);
    const { k, x, y } = transform;
    const most = isMoving ? Math.min(allowed, scene.source.length) : scene.source.length;
    const place = () => context.setTransform(size.ratio * k, 0, 0, size.ratio * k, size.ratio * x, size.ratio * y);
    if (isMoving && isSlow) {
      paintQuickly(context, size, transform, inkOf(scene, colours), most);
      place();
    } else {
      const view = { left: -x / k, top: -y / k, right: (size.width - x) / k, bottom: (size.height - y) / k };
      context.setTransform(size.ratio, 0, 0, size.ratio, 0, 0);
      context.clearRect(0, 0, size.width, size.height);
      place();
      drawLinks(context, scene, view, colours, k, most);
      drawNodes(context, scene, view, colours, k, size.ratio);
    }
    drawFound(context, scene, colours, k);
    const focus = scene.chosen >= 0 ? scene.chosen : scene.hovered;
    if (focus >= 0) drawFocus(context, scene, focus, colours, k);
    context.setTransform(size.ratio, 0, 0, size.ratio, 0, 0);
    drawLabels(context, scene, size, transform, colours, focus);
    return most;
  };
};

const isFaint = (scene, at) => scene.nodes[at].isFaint || (scene.found !== null && !scene.found.has(at));

/** Return the colours as the quick painter wants them. */
const inkOf = (scene, colours) => {
  const hues = colours.hues.map((hue) => packColour(hue));
  const faint = packColour(colours.surface, colours.strong, FAINT);
  return {
    surface: packColour(colours.surface),
    line: packColour(colours.surface, colours.strong, THIN),
    nodes: (at) => (isFaint(scene, at) ? faint : hues[scene.nodes[at].hue]),
  };
};

const drawLinks = (context, scene, view, colours, k, most) => {
  context.lineWidth = Math.min(0.8 / k, 2);
  context.strokeStyle = colours.strong;
  context.globalAlpha = most > MANY_LINKS ? THIN : FAINT;
  let inPath = 0;
  context.beginPath();
  for (let at = 0; at < most; at += 1) {
    const [a, b] = [scene.source[at], scene.target[at]];
    const [ax, ay, bx, by] = [scene.x[a], scene.y[a], scene.x[b], scene.y[b]];
    if (Math.max(ax, bx) < view.left || Math.min(ax, bx) > view.right) continue;
    if (Math.max(ay, by) < view.top || Math.min(ay, by) > view.bottom) continue;
    context.moveTo(ax, ay);
    context.lineTo(bx, by);
    inPath += 1;
    if (inPath === AT_ONCE) {
      // One very long path is slower to fill than several short ones.
      context.stroke();
      context.beginPath();
      inPath = 0;
    }
  }
  context.stroke();
  context.globalAlpha = 1;
};

const drawNodes = (context, scene, view, colours, k, ratio) => {
  const groups = Array.from({ length: HUES + 1 }, () => []);
  for (let at = 0; at < scene.count; at += 1) {
    const [x, y, r] = [scene.x[at], scene.y[at], scene.radius[at]];
    if (x + r < view.left || x - r > view.right || y + r < view.top || y - r > view.bottom) continue;
    groups[isFaint(scene, at) ? HUES : scene.nodes[at].hue].push(at);
  }
  groups.forEach((group, hue) => {
    context.fillStyle = hue === HUES ? colours.strong : colours.hues[hue];
    context.globalAlpha = hue === HUES ? FAINT : 1;
    fillDiscs(context, scene, group, k, ratio);
  });
  context.globalAlpha = 1;
};

const drawFound = (context, scene, colours, k) => {
  context.strokeStyle = colours.ink;
  context.lineWidth = 2 / k;
  for (const at of scene.found ?? []) ring(context, scene, at, 3 / k);
};

const fillDiscs = (context, scene, group, k, ratio = 1) => {
  if (!group.length) return;
  context.beginPath();
  for (const at of group) {
    const [x, y, r] = [scene.x[at], scene.y[at], Math.max(scene.radius[at], 1.2 / k)];
    if (r * k * ratio < 1.6) {
      context.rect(x - r, y - r, 2 * r, 2 * r); // too small to tell from a disc
    } else {
      context.moveTo(x + r, y);
      context.arc(x, y, r, 0, 2 * Math.PI);
    }
  }
  context.fill();
};

const ring = (context, scene, at, gap) => {
  context.beginPath();
  context.arc(scene.x[at], scene.y[at], scene.radius[at] + gap, 0, 2 * Math.PI);
  context.stroke();
};

const drawFocus = (context, scene, focus, colours, k) => {
  context.strokeStyle = colours.accent;
  context.lineWidth = 1.5 / k;
  context.beginPath();
  for (const other of scene.linked[focus]) {
    context.moveTo(scene.x[focus], scene.y[focus]);
    context.lineTo(scene.x[other], scene.y[other]);
  }
  context.stroke();
  for (const at of [...scene.linked[focus].slice(0, 500), focus]) {
    context.fillStyle = colours.hues[scene.nodes[at].hue];
    fillDiscs(context, scene, [at], k);
  }
  context.strokeStyle = colours.ink;
  context.lineWidth = 2.5 / k;
  ring(context, scene, focus, 3 / k);
};

const drawLabels = (context, scene, size, transform, colours, focus) => {
  context.font = `12px ${colours.font}`;
  context.textBaseline = "middle";
  context.lineJoin = "round";
  const taken = [];
  const wanted = scene.found === null ? scene.bySize.slice(0, 60) : [...scene.found].slice(0, 60);
  for (const at of focus >= 0 ? [focus, ...wanted] : wanted) {
    if (taken.length >= LABELS) break;
    const place = transform.apply([scene.x[at], scene.y[at]]);
    const left = place[0] + scene.radius[at] * transform.k + 5;
    const name = scene.nodes[at].name;
    const text = name.length > LABEL_CHARS ? `${name.slice(0, LABEL_CHARS)}…` : name;
    const box = { left, top: place[1] - 9, right: left + context.measureText(text).width, bottom: place[1] + 9 };
    const isOutside = box.left < 0 || box.top < 0 || box.right > size.width || box.bottom > size.height;
    if (isOutside || taken.some((other) => overlap(box, other))) continue;
    taken.push(box);
    context.lineWidth = 4;
    context.strokeStyle = colours.surface;
    context.strokeText(text, left, place[1]);
    context.fillStyle = colours.ink;
    context.fillText(text, left, place[1]);
  }
};

const overlap = (one, other) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
