// Lists of the outline: built from the server's JSON, with the same markup as the server renders.

import { shadeOf } from "../map/scene.js";

const numbers = new Intl.NumberFormat("en");

const make = (tag, className, ...inside) => {
  const element = document.createElement(tag);
  element.className = className;
  element.append(...inside);
  return element;
};

const isolated = (text) => {
  const element = document.createElement("bdi");
  element.textContent = text;
  return element;
};

const unseen = (text) => {
  const element = make("span", "unseen");
  element.textContent = text;
  return element;
};

const hueOf = (branch, box) =>
  box.colour === "topic" && branch.topic !== null ? shadeOf(branch.topic) : branch.hue;

const makeItem = (branch, box) => {
  const toggle = make(branch.children ? "a" : "span", "branch-toggle", branch.children ? "▸" : "");
  const name = make("a", "branch-name", isolated(branch.title));
  name.href = `${box.page}?${new URLSearchParams({ url: branch.url })}`;
  const hue = hueOf(branch, box);
  const row = make("div", "branch-row", toggle, make("span", `dot hue-${hue}`), name);
  if (branch.below) {
    row.append(make("span", "branch-count", numbers.format(branch.below), unseen(" pages below")));
  }
  const item = make("li", "branch", row);
  item.classList.toggle("is-off-topic", box.about !== "" && (branch.topic ?? 0) < Number(box.about));
  Object.assign(item.dataset, {
    url: branch.url,
    children: branch.children,
    name: branch.title,
    note: branch.domain,
    hue,
    depth: branch.depth,
    ...(branch.topic === null ? {} : { topic: branch.topic }),
  });
  return item;
};

const makeMore = (text, way) => {
  const link = make("a", "", text);
  link.href = "#";
  link.dataset[way] = "";
  return make("li", "branch-more", link);
};

/** Return an empty list for the branches of a page. */
export const makeList = (parent) => {
  const list = make("ul", "branches");
  list.dataset.parent = parent;
  return list;
};

/** Put branches into a list: instead of its rows, before them, or after them. Return the new rows. */
export const fill = (list, answer, where, box) => {
  if (where === "replace") list.replaceChildren();
  list.querySelectorAll(":scope > .branch-more").forEach((row) => row.remove());
  const start = where === "behind" ? Number(list.dataset.start) : answer.start;
  const fresh = answer.branches.map((branch) => makeItem(branch, box));
  if (where === "before") list.prepend(...fresh);
  else list.append(...fresh);
  const after = answer.total - start - list.children.length;
  const more = [];
  if (start) {
    more.push(makeMore(`${numbers.format(start)} earlier`, "earlier"));
    list.prepend(more[0]);
  }
  if (after > 0) {
    more.push(makeMore(`${numbers.format(after)} more`, "later"));
    list.append(more.at(-1));
  }
  Object.assign(list.dataset, { start, total: answer.total });
  return [...fresh, ...more];
};
