// A list that is fetched anew every few seconds while somebody looks, without losing the focus.
const SECONDS = 3;
const list = document.querySelector("[data-reload]");

const renew = async () => {
  if (document.hidden || list.contains(document.activeElement)) return;
  const response = await fetch(location.href);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const fresh = page.querySelector("[data-reload]");
  if (fresh) list.replaceChildren(...fresh.childNodes);
};

setInterval(() => renew().catch(() => {}), SECONDS * 1000);
