// Reports when a live page has lost the server, and when it is back.
const TOLD_MS = 4000;
const notice = document.querySelector("[data-connection]");
let isLost = false;
let timer = 0;

const tell = (text, isGood) => {
  clearTimeout(timer);
  notice.classList.toggle("is-back", isGood);
  notice.textContent = text;
};

/** Report that the server does not respond; a form sent now would lead to an empty page. */
export const lost = () => {
  if (isLost || !notice) return;
  isLost = true;
  document.documentElement.dataset.lost = "";
  for (const button of document.querySelectorAll("main button[type=submit]")) button.disabled = true;
  tell("Connection lost, retrying … What you see is out of date.", false);
};

/** Report for a moment that the server responds again. */
export const back = () => {
  if (!isLost) return;
  isLost = false;
  delete document.documentElement.dataset.lost;
  for (const button of document.querySelectorAll("main button[type=submit]")) button.disabled = false;
  tell("Connected again.", true);
  timer = setTimeout(() => tell("", true), TOLD_MS);
};
