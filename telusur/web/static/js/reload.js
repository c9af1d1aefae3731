// A list that is reloaded every few seconds while it is visible, without losing the focus.
import { back, lost } from "./connection.js";

const SECONDS = 3;
const list = document.querySelector("[data-reload]");

const renew = async () => {
  if (document.hidden || list.contains(document.activeElement)) return;
  const response = await fetch(location.href);
  back();
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const fresh = page.querySelector("[data-reload]");
  if (fresh) list.replaceChildren(...fresh.childNodes);
};

setInterval(() => renew().catch(lost), SECONDS * 1000);
