// Words in the box of the map are looked for while somebody types: what they find stands out.

const WAIT_MS = 200;
const MOST = 100;

/** Call `show` with the hits of what is typed, or with null when nothing is. */
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
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => ask().catch(() => show(null, 0)), WAIT_MS);
  });
};
