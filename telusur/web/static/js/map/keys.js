// The map by keyboard: arrows follow links, Enter opens, + - 0 zoom, Escape deselects.

import { nodeTowards } from "./scene.js";

const DIRECTIONS = { ArrowRight: 0, ArrowDown: Math.PI / 2, ArrowLeft: Math.PI, ArrowUp: -Math.PI / 2 };

export const listenToKeys = (canvas, scene, { pick, open, zoomBy, fit }) => {
  const others = {
    Enter: () => scene.chosen >= 0 && open(scene.chosen),
    "+": () => zoomBy(1.4),
    "=": () => zoomBy(1.4),
    "-": () => zoomBy(1 / 1.4),
    0: fit,
    Home: () => pick(scene.bySize[0] ?? -1),
    Escape: () => pick(-1),
  };
  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !scene.count) return;
    if (event.key in DIRECTIONS) {
      const next = scene.chosen < 0 ? scene.bySize[0] : nodeTowards(scene, scene.chosen, DIRECTIONS[event.key]);
      if (next >= 0) pick(next);
    } else if (event.key in others) {
      others[event.key]();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  });
};
