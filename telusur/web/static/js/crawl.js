// A live crawl: the server sends the parts of the page as they change, and this puts them in place.
import { back, lost } from "./connection.js";

const root = document.querySelector("[data-events]");
const shown = new Map();
const WAIT_MS = 5000;
// Events come every second; a server that is silent for this long counts as lost.
const SILENT_MS = 15000;
let silence = 0;

const putIn = (name, html) => {
  const place = root.querySelector(`[data-part="${name}"]`);
  if (!place || shown.get(name) === html) return;
  shown.set(name, html);
  const held = place.contains(document.activeElement) ? document.activeElement : null;
  const key = held && (held.dataset.key ? `[data-key="${held.dataset.key}"]` : `a[href="${CSS.escape(held.getAttribute("href") || "")}"]`);
  // Rendered by our own server, which escapes whatever was crawled; the policy forbids inline script.
  place.innerHTML = html;
  if (key) place.querySelector(key)?.focus();
};

const heard = () => {
  back();
  clearTimeout(silence);
  silence = setTimeout(lost, SILENT_MS);
};

const end = () => {
  clearTimeout(silence);
  root.dataset.ended = "";
  // A crawl that has ended has no limits to change.
  for (const part of document.querySelectorAll("[data-while-crawling]")) part.remove();
};

const follow = () => {
  const source = new EventSource(root.dataset.events);
  source.addEventListener("crawl", (event) => {
    heard();
    const news = JSON.parse(event.data);
    for (const [name, html] of Object.entries(news.parts)) putIn(name, html);
    document.title = `Crawl of ${news.name}: ${news.state} · Telusur`;
  });
  source.addEventListener("end", () => {
    source.close();
    end();
  });
  // After an interruption, such as a restart of the server, the browser reconnects by itself, but not when it was
  // refused because too many are watching. In that case the page is reloaded now and then.
  source.addEventListener("error", () => {
    if (source.readyState === EventSource.CLOSED) setTimeout(() => load().catch(again), WAIT_MS);
    else lost();
  });
};

const again = () => {
  lost();
  setTimeout(follow, WAIT_MS);
};

const load = async () => {
  const response = await fetch(location.pathname);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  heard();
  for (const place of page.querySelectorAll("[data-part]")) putIn(place.dataset.part, place.innerHTML);
  if (page.querySelector("[data-events]")) follow();
  else end();
};

if (root) follow();
