// The outline: branches are loaded when they are opened, so its size does not matter.

import { choose, whenChosen } from "../chosen.js";
import { sayTopic } from "../map/scene.js";
import { showPanel } from "../panel.js";
import { listenToKeys } from "./keys.js";
import { fill, makeList } from "./list.js";

const AT_ONCE = 50;
const box = document.querySelector("[data-outline]");
let lists = 0;

const ask = async (address, params) => {
  const response = await fetch(`${address}?${new URLSearchParams(params)}`);
  const answer = await response.json();
  if (!answer.ok) throw new Error(answer.error);
  return answer;
};

const askBranches = (url, start) => ask(box.dataset.branches, { ...(url ? { url } : {}), start, limit: AT_ONCE });
const listOf = (item) => item.querySelector(":scope > .branches");
const rows = () => [...box.querySelectorAll(".branch, .branch-more")].filter((row) => !row.closest("[hidden]"));
const itemOf = (list, url) => [...list.children].find((item) => item.dataset.url === url);

const pageOf = (item) => {
  const { url, name, note, hue, depth, topic } = item.dataset;
  const way = depth === "0" ? "start URL" : `depth ${depth}`;
  return { url, name, note: `${note}, ${way}${sayTopic(topic)}`, hue };
};

/** Return the focusable element of a line: its row, or the link to more lines. */
const rowOf = (item) => item.querySelector(":scope > .branch-row, :scope > a");
const isOpen = (item) => rowOf(item).getAttribute("aria-expanded") === "true";

// ARIA for screen readers; the list from the server is plain links.
const dress = (list, items = list.children) => {
  const above = list.parentElement === box ? null : rowOf(list.parentElement);
  const level = above ? Number(above.getAttribute("aria-level")) + 1 : 1;
  list.setAttribute("role", above ? "group" : "tree");
  if (above) {
    list.id ||= `branches-${(lists += 1)}`;
    above.setAttribute("aria-owns", list.id);
  } else {
    list.setAttribute("aria-labelledby", "outline-title");
  }
  for (const item of items) {
    item.setAttribute("role", "none");
    const row = rowOf(item);
    row.setAttribute("role", "treeitem");
    row.setAttribute("aria-level", level);
    row.tabIndex = -1;
    row.querySelectorAll("a").forEach((link) => {
      link.tabIndex = -1;
    });
    row.querySelector(".branch-toggle")?.setAttribute("aria-hidden", "true");
    const inside = listOf(item);
    if (Number(item.dataset.children)) row.setAttribute("aria-expanded", String(Boolean(inside && !inside.hidden)));
    if (inside) dress(inside);
  }
};

const mark = (item) => {
  box.querySelector("[aria-selected]")?.removeAttribute("aria-selected");
  box.querySelector(".is-selected")?.classList.remove("is-selected");
  box.querySelectorAll("[tabindex='0']").forEach((row) => {
    row.tabIndex = -1;
  });
  if (!item) return;
  rowOf(item).tabIndex = 0;
  if (!item.dataset.url) return;
  item.classList.add("is-selected");
  rowOf(item).setAttribute("aria-selected", "true");
};

const focus = (item) => {
  mark(item);
  rowOf(item).focus({ preventScroll: true });
  rowOf(item).scrollIntoView({ block: "nearest" });
  if (item.dataset.url) choose(pageOf(item), "outline");
};

const turn = (item, isOpen) => {
  rowOf(item).setAttribute("aria-expanded", String(isOpen));
  item.querySelector(".branch-toggle").textContent = isOpen ? "▾" : "▸";
  listOf(item).hidden = !isOpen;
};

const open = async (item, start = 0) => {
  if (item.classList.contains("branch-more")) return more(item);
  if (!Number(item.dataset.children)) return;
  if (!listOf(item)) {
    const answer = await askBranches(item.dataset.url, start);
    if (listOf(item)) return; // opened twice in a hurry
    const list = makeList(item.dataset.url);
    fill(list, answer, "replace", box.dataset);
    item.append(list);
    dress(list);
  }
  turn(item, true);
};

const close = (item) => listOf(item) && turn(item, false);

const more = async (row) => {
  const list = row.parentElement;
  const isEarlier = row.querySelector("[data-earlier]") !== null;
  const first = Number(list.dataset.start);
  const shown = list.querySelectorAll(":scope > .branch").length;
  const start = isEarlier ? Math.max(first - AT_ONCE, 0) : first + shown;
  const answer = await askBranches(list.dataset.parent, start);
  if (isEarlier) answer.branches = answer.branches.slice(0, first - start);
  const fresh = fill(list, answer, isEarlier ? "before" : "behind", box.dataset);
  dress(list, fresh);
  const branches = fresh.filter((each) => each.dataset.url);
  if (branches.length) focus(isEarlier ? branches.at(-1) : branches[0]);
};

/** Open the path to a page that was selected elsewhere. */
const reveal = async (url) => {
  const { way } = await ask(box.dataset.way, { url });
  let list = box.firstElementChild;
  let item = null;
  for (const step of way) {
    item = itemOf(list, step.url);
    if (!item) {
      const start = Math.floor(step.at / AT_ONCE) * AT_ONCE;
      fill(list, await askBranches(list.dataset.parent, start), "replace", box.dataset);
      dress(list);
      item = itemOf(list, step.url);
    }
    if (!item) return;
    if (step === way.at(-1)) break;
    await open(item, Math.floor(way[way.indexOf(step) + 1].at / AT_ONCE) * AT_ONCE);
    list = listOf(item);
  }
  mark(item);
  const row = rowOf(item);
  box.scrollTop += row.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 3;
};

const click = (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  const row = event.target.closest(".branch, .branch-more");
  if (!row) return;
  event.preventDefault();
  const isToggle = event.target.closest(".branch-toggle") !== null;
  if (row.classList.contains("branch-more")) return more(row);
  if (isToggle) return isOpen(row) ? close(row) : open(row);
  focus(row);
};

const follow = (item) => {
  if (item.dataset.url) location.assign(item.querySelector(".branch-name").href);
  else more(item);
};

if (box) {
  const map = document.querySelector("[data-map]");
  showPanel({ page: box.dataset.page, mapPage: map.dataset.mapPage });
  dress(box.firstElementChild);
  const first = box.querySelector(".branch");
  if (first) rowOf(first).tabIndex = 0;
  const chosen = box.querySelector(".is-selected");
  if (chosen) {
    choose(pageOf(chosen), "outline");
    mark(chosen);
    box.scrollTop += chosen.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 3;
  }
  box.addEventListener("click", click);
  box.addEventListener("dblclick", (event) => follow(event.target.closest(".branch, .branch-more")));
  listenToKeys(box, { rows, focus, isOpen, open, close, follow });
  whenChosen((page, by) => {
    if (by === "outline") return;
    if (page?.url) reveal(page.url).catch(() => mark(null));
    else mark(null);
  });
}
