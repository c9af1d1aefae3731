// Highlights on the map, as you type, the pages that match the words in the box.

const WAIT_MS = 200;
const MOST = 100;

/** Call `show` with the hits for the typed words, or with null when the box is empty. */
export const listenToWords = (input, show) => {
  let timer = 0;
  let asked = "";
  const ask = async () => {
    const typed = input.value.trim();
    asked = typed;
    if (!typed) return show(null, 0);
    const address = `${input.dataset.find}?${new URLSearchParams({ q: typed, limit: MOST, per_site: 0 })}`;
    const answer = await (await fetch(address)).json();
    if (answer.ok && asked === typed) show(answer.hits, answer.total);
  };
  const askSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => ask().catch(() => show(null, 0)), WAIT_MS);
  };
  input.addEventListener("input", askSoon);
  // The box is usable before this script has loaded.
  if (input.value !== input.defaultValue) askSoon();
};
