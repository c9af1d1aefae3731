// While files are being searched for, the page is reloaded until all of them are found.
import { back, lost } from "./connection.js";

const PAUSE_MS = 100;
const LOST_MS = 3000;
const list = document.querySelector("[data-files]");

const goOn = async () => {
  const response = await fetch(location.href);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const fresh = page.querySelector("[data-files]");
  back();
  if (!fresh) return;
  const isOver = !("goesOn" in fresh.dataset);
  // Leave the list alone while the keyboard focus is in it, until the search is over.
  if (isOver || !list.querySelector("table")?.contains(document.activeElement)) list.replaceChildren(...fresh.childNodes);
  if (isOver) delete list.dataset.goesOn;
  else setTimeout(follow, PAUSE_MS);
};

const follow = () =>
  goOn().catch(() => {
    lost();
    setTimeout(follow, LOST_MS);
  });

setTimeout(follow, PAUSE_MS);
