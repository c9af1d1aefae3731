// While a crawl runs the numbers of the page follow it, gently, and only while somebody looks.
"use strict";

const SECONDS_BETWEEN = 3;
const notice = document.querySelector("[data-live]");
const numbers = new Intl.NumberFormat("en");

const refresh = async () => {
  if (document.hidden) return true;
  const response = await fetch(notice.dataset.live, { headers: { accept: "application/json" } });
  const status = await response.json();
  if (!status.ok) return true;
  showCounts({ ...status, waiting: status.waiting + status.leased });
  const hasFirstDocument = notice.dataset.documents === "0" && status.documents > 0;
  if (hasFirstDocument || !status.is_crawling) showNews(status.is_crawling);
  return status.is_crawling;
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

// What the server renders anew (sites, first documents) needs a reload; never under somebody's typing.
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
  const goesOn = await refresh().catch(() => true); // The server may be restarting.
  if (goesOn) setTimeout(follow, SECONDS_BETWEEN * 1000);
};

setTimeout(follow, SECONDS_BETWEEN * 1000);
