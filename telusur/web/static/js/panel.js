// Details of the selected page, and links from there.

import { whenChosen } from "./chosen.js";

export const showPanel = (addresses) => {
  const panel = document.querySelector("[data-panel]");
  const part = (name) => panel.querySelector(`[data-panel-${name}]`);
  whenChosen((page) => {
    panel.hidden = !page;
    if (!page) return;
    part("title").textContent = page.name;
    part("note").textContent = page.note;
    part("url").textContent = page.url;
    part("dot").className = `dot hue-${page.hue}`;
    part("open").textContent = page.url ? "Open the page" : "Show its pages";
    part("open").href = page.href ?? `${addresses.page}?${new URLSearchParams({ url: page.url })}`;
    part("around").hidden = !page.url;
    part("around").href = `${addresses.mapPage}?${new URLSearchParams({ around: page.url, selected: page.url })}`;
  });
};
