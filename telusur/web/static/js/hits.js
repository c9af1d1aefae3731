// Arrow keys and j, k move through the hits; Enter opens the one in focus, as with any link.
"use strict";

const STEPS = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

document.addEventListener("keydown", (event) => {
  const step = STEPS[event.key];
  if (!step || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const box = document.querySelector("[data-search-box]");
  const isInBox = event.target === box;
  const isTyping = event.target.closest("input, textarea, select, [contenteditable]");
  if (isTyping && !(isInBox && event.key === "ArrowDown")) return;

  const hits = [...document.querySelectorAll("[data-hit]")];
  if (!hits.length) return;
  const here = event.target.closest(".hit");
  const at = here ? hits.findIndex((hit) => here.contains(hit)) : -1;
  const next = at === -1 ? (step > 0 ? 0 : -1) : at + step;
  // Only the arrow moves to the box: "k" would be typed into it.
  if (next >= hits.length || (next < 0 && event.key === "k")) return;
  event.preventDefault();
  const goal = next < 0 ? box : hits[next];
  goal.focus();
  goal.closest(".hit, header").scrollIntoView({ block: "nearest" });
});
