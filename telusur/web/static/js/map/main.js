// The map: reads pages or sites and their links, draws them, and follows the selection made elsewhere.

import { choose, whenChosen, withParam } from "../chosen.js";
import { listenToWords } from "./find.js";
import { listenToKeys } from "./keys.js";
import { makeZoom } from "./zoom.js";
import { makeMotion } from "./motion.js";
import { makePainter, readColours } from "./paint.js";
import { savePicture } from "./save.js";
import { sceneOfPages, sceneOfSites } from "./scene.js";

const LEGEND = 24;
const STILL_MS = 160;
const box = document.querySelector("[data-map]");
const canvas = box?.querySelector("canvas");
const say = (text) => {
  document.querySelector("[data-map-status]").textContent = text;
};

const begin = async () => {
  const answer = await (await fetch(box.dataset.map)).json();
  if (!answer.ok) throw new Error(answer.error);
  const { page, mapPage, colour } = box.dataset;
  const addresses = { page, mapPage, colour };
  const isSites = box.dataset.kind === "sites";
  const scene = (isSites ? sceneOfSites : sceneOfPages)(answer, addresses);
  box.querySelector("[data-wait]").hidden = true;
  canvas.hidden = false;
  showLegend(answer.sites);
  show(scene, isSites);
};

const show = (scene, isSites) => {
  const context = canvas.getContext("2d");
  const paint = makePainter(scene);
  const size = { width: 1, height: 1, ratio: 1 };
  let colours = readColours();
  let wanted = 0;
  let lastChange = 0;

  const draw = (now) => {
    wanted = 0;
    const isMoving = motion.advance(now);
    const isBusy = isMoving || now - lastChange < STILL_MS;
    if (isMoving && !zoom.isTouched) zoom.fit(size);
    if (isBusy) zoom.pointAgain();
    canvas.linksDrawn = paint(context, size, zoom.transform, colours, { isMoving: isBusy, now });
    // Draw once more, with every link, when nothing moves any more.
    if (isBusy) wanted ||= requestAnimationFrame(draw);
  };
  const refresh = () => {
    wanted ||= requestAnimationFrame(draw);
  };
  const changed = () => {
    lastChange = performance.now();
    refresh();
  };

  const motion = makeMotion(scene, box.dataset.worker, changed, () => {
    canvas.dataset.state = "calm";
    if (!zoom.isTouched) zoom.fit(size);
  });
  const open = (at) => location.assign(scene.nodes[at].href);
  const mark = (at) => {
    scene.chosen = at;
    canvas.dataset.chosen = scene.nodes[at]?.name ?? "";
    if (at >= 0) zoom.show(at, size);
    refresh();
  };
  const pick = (at) => {
    mark(at);
    say(at >= 0 ? `${scene.nodes[at].name}, ${scene.nodes[at].note}, ${scene.linked[at].length} links` : "");
    choose(at >= 0 ? scene.nodes[at] : null, "map");
  };
  const point = (at, left, top) => {
    canvas.classList.toggle("is-on-page", at >= 0);
    showTip(scene.nodes[at], left, top, size);
    if (scene.hovered === at) return;
    scene.hovered = at;
    refresh();
  };
  const zoom = makeZoom(canvas, scene, { changed, motion, point, pick, open });
  const fit = () => zoom.fit(size, true);
  listenToKeys(canvas, scene, { pick, open, zoomBy: zoom.by, fit });
  listenToTools({ fit, in: () => zoom.by(1.4), out: () => zoom.by(1 / 1.4) });
  listenToWords(document.querySelector("[data-find]"), (hits, total) => {
    const places = (hits ?? []).map((hit) => scene.placeOf.get(isSites ? hit.site : hit.url));
    scene.found = hits ? new Set(places.filter((at) => at !== undefined)) : null;
    canvas.dataset.found = hits ? scene.found.size : "";
    say(hits ? `${scene.found.size} of ${total} hits on the map` : "");
    refresh();
  });
  whenChosen((page, by) => {
    if (by === "map") return;
    mark(scene.placeOf.get(page?.url) ?? -1);
  });
  savePicture((picture) => paint(picture, { ...size, ratio: 2 }, zoom.transform, colours), size, box.dataset.name);

  new ResizeObserver(() => {
    const { clientWidth, clientHeight } = canvas;
    if (!clientWidth) return; // hidden: the other pane is shown
    Object.assign(size, { width: clientWidth, height: clientHeight, ratio: Math.min(devicePixelRatio, 2) });
    canvas.width = Math.round(clientWidth * size.ratio);
    canvas.height = Math.round(clientHeight * size.ratio);
    if (!zoom.isTouched) zoom.fit(size);
    changed();
  }).observe(canvas);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    colours = readColours();
    refresh();
  });

  const first = scene.placeOf.get(box.dataset.selected);
  if (first !== undefined) pick(first);
  Object.assign(canvas.dataset, { nodes: scene.count, links: scene.source.length, state: "moving" });
  // For tests and for users' own scripts: where a page or a site is drawn.
  Object.defineProperty(canvas, "scale", { get: () => zoom.transform.k });
  canvas.whereIs = (name) => {
    const at = scene.placeOf.get(name);
    return at === undefined ? null : zoom.transform.apply([scene.x[at], scene.y[at]]);
  };
};

const showLegend = (sites) => {
  const listed = sites.slice(0, LEGEND).map((site) => {
    const item = document.createElement("li");
    const dot = document.createElement("span");
    dot.className = `dot hue-${site.hue}`;
    const link = document.createElement("a");
    link.href = withParam(box.dataset.mapPage, "site", site.domain);
    const name = document.createElement("bdi");
    name.textContent = site.domain;
    link.append(name);
    item.append(dot, link, ` ${site.pages.toLocaleString("en")}`);
    return item;
  });
  const rest = sites.length - listed.length;
  if (rest > 0) {
    listed.push(document.createElement("li"));
    listed.at(-1).textContent = `and ${rest.toLocaleString("en")} more`;
  }
  document.querySelector("[data-legend]").replaceChildren(...listed);
};

const showTip = (node, left, top, size) => {
  const tip = box.querySelector("[data-tip]");
  tip.hidden = !node;
  if (!node) return;
  const name = document.createElement("bdi");
  name.className = "strong";
  name.textContent = node.name;
  const note = document.createElement("div");
  note.className = "quiet";
  note.textContent = node.note;
  tip.replaceChildren(name, note);
  tip.style.left = `${Math.max(Math.min(left + 14, size.width - tip.offsetWidth - 4), 4)}px`;
  tip.style.top = `${top + tip.offsetHeight + 24 > size.height ? top - tip.offsetHeight - 10 : top + 18}px`;
};

const listenToTools = (tools) => {
  const bar = box.querySelector("[data-tools]");
  bar.hidden = false;
  bar.addEventListener("click", (event) => tools[event.target.dataset.zoom]?.());
};

const fail = (error) => {
  const wait = box.querySelector("[data-wait]");
  wait.hidden = false;
  wait.textContent = `The map could not be drawn: ${error.message}`;
};

if (canvas) begin().catch(fail);
