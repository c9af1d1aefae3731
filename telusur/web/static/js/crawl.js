// A crawl, live: the server sends the parts of the page as they change, and they are put in place.
const root = document.querySelector("[data-events]");
const shown = new Map();

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

const follow = () => {
  const source = new EventSource(root.dataset.events);
  source.addEventListener("crawl", (event) => {
    const news = JSON.parse(event.data);
    for (const [name, html] of Object.entries(news.parts)) putIn(name, html);
    document.title = `Crawl of ${news.name}: ${news.state} · Telusur`;
  });
  source.addEventListener("end", () => {
    source.close();
    root.dataset.ended = "";
  });
  // After a break, as when the server restarts, the browser asks again by itself.
};

if (root) follow();
