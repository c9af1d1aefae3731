// One page is selected at a time, in both the map and the outline; it is kept in the address.

const EVENT = "telusur:chosen";

/** Tell all listeners that a page was selected: {url, name, note, hue}, or null for none. */
export const choose = (page, by) => {
  remember(page ? page.url : "");
  document.dispatchEvent(new CustomEvent(EVENT, { detail: { page, by } }));
};

/** Call the listener with the page and with the part that selected it. */
export const whenChosen = (listener) => {
  document.addEventListener(EVENT, (event) => listener(event.detail.page, event.detail.by));
};

/** Return an address with one more parameter. */
export const withParam = (address, name, value) => {
  const url = new URL(address, location.href);
  if (value) url.searchParams.set(name, value);
  else url.searchParams.delete(name);
  return url.pathname + url.search;
};

const remember = (url) => {
  const address = new URL(withParam(location.href, "selected", url), location.href);
  address.searchParams.delete("start");
  history.replaceState(null, "", address);
  for (const link of document.querySelectorAll("[data-keeps-selection]")) {
    link.href = withParam(link.href, "selected", url);
  }
};
