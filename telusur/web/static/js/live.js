// Updates the numbers of the page while a crawl runs and the page is visible.
import { back, lost } from "./connection.js";

const SECONDS_BETWEEN = 3;
const notice = document.querySelector("[data-live]");
let shown = Number(notice.dataset.documents);
const numbers = new Intl.NumberFormat("en");

const refresh = async () => {
  if (document.hidden) return true;
  const response = await fetch(notice.dataset.live, { headers: { accept: "application/json" } });
  const status = await response.json();
  back();
  if (!status.ok) return true;
  // Sites first, so that their documents and the number of all of them change together.
  if (status.documents !== shown) await showSites();
  shown = status.documents;
  showCounts({ ...status, waiting: status.waiting + status.leased });
  const hasFirstDocument = notice.dataset.documents === "0" && status.documents > 0;
  if (hasFirstDocument || !status.is_crawling) showNews(status.is_crawling);
  return status.is_crawling;
};

const showSites = async () => {
  const place = document.querySelector("[data-sites]");
  if (!place || place.contains(document.activeElement)) return;
  const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
  place.replaceChildren(...(page.querySelector("[data-sites]")?.childNodes ?? []));
};

const showCounts = (status) => {
  for (const place of document.querySelectorAll("[data-count]")) {
    place.textContent = numbers.format(status[place.dataset.count]);
  }
  let start = 0;
  for (const share of document.querySelectorAll("[data-share]")) {
    const width = Math.round((1000 * status[share.dataset.share]) / Math.max(status.found, 1));
    share.setAttribute("x", start);
    share.setAttribute("width", width);
    start += width;
  }
};

// Parts rendered by the server (sites, first documents) need a reload; never reload while somebody types.
const showNews = (isCrawling) => {
  const box = document.querySelector("[data-search-box]");
  if (box.value === "") {
    location.reload();
  } else if (!isCrawling) {
    notice.classList.add("is-finished");
    notice.querySelector("[data-live-text]").textContent = "The crawl has finished.";
  }
};

const follow = async () => {
  const goesOn = await refresh().catch(() => {
    lost(); // The server may be restarting.
    return true;
  });
  if (goesOn) setTimeout(follow, SECONDS_BETWEEN * 1000);
};

setTimeout(follow, SECONDS_BETWEEN * 1000);
