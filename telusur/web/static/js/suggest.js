// Suggestions as you type: arrows choose, Enter accepts, Escape closes. Without this script the box still works.
"use strict";

const WAIT_MS = 120;
const input = document.querySelector("[data-suggest]");

const makeList = () => {
  const list = document.createElement("ul");
  list.id = "suggestions";
  list.className = "suggestions";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Suggestions");
  list.hidden = true;
  input.form.append(list);
  input.setAttribute("role", "combobox");
  input.setAttribute("aria-autocomplete", "list");
  input.setAttribute("aria-controls", list.id);
  input.setAttribute("aria-expanded", "false");
  return list;
};

const suggest = () => {
  const list = makeList();
  let chosen = -1;
  let timer = 0;
  let asked = "";

  const close = () => {
    list.hidden = true;
    chosen = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };

  const makeOption = (one, number) => {
    const option = document.createElement("li");
    option.id = `suggestion-${number}`;
    option.className = "suggestion";
    option.setAttribute("role", "option");
    const text = document.createElement("bdi");
    text.textContent = one.text;
    const note = document.createElement("span");
    note.className = "suggestion-note";
    note.textContent = one.kind === "title" ? "page" : one.documents.toLocaleString("en");
    option.append(text, note);
    // Keep the focus in the box until the click arrives.
    option.addEventListener("pointerdown", (event) => event.preventDefault());
    option.addEventListener("click", () => take(one));
    option.take = () => take(one);
    return option;
  };

  const show = (suggestions) => {
    list.replaceChildren(...suggestions.map(makeOption));
    close();
    if (!suggestions.length || document.activeElement !== input) return;
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
  };

  const take = (one) => {
    close();
    if (one.kind === "title") {
      location.assign(`${input.dataset.page}?${new URLSearchParams({ url: one.url })}`);
    } else {
      input.value = one.text;
      input.form.requestSubmit();
    }
  };

  const choose = (number) => {
    const options = [...list.children];
    chosen = (number + options.length + 1) % (options.length + 1);
    options.forEach((option, at) => option.setAttribute("aria-selected", String(at === chosen)));
    if (chosen === options.length) {
      chosen = -1;
      input.removeAttribute("aria-activedescendant");
    } else {
      input.setAttribute("aria-activedescendant", options[chosen].id);
    }
  };

  const ask = async () => {
    const typed = input.value;
    asked = typed;
    if (!typed.trim()) return close();
    const response = await fetch(`${input.dataset.suggest}?${new URLSearchParams({ q: typed, limit: 8 })}`);
    const answer = await response.json();
    // A late response must not replace a newer one.
    if (answer.ok && asked === typed && input.value === typed) show(answer.suggestions);
  };

  const askSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => ask().catch(close), WAIT_MS);
  };

  input.addEventListener("input", askSoon);
  input.addEventListener("blur", close);
  input.form.addEventListener("submit", () => clearTimeout(timer));
  input.addEventListener("keydown", (event) => {
    if (list.hidden || event.isComposing) return;
    if (event.key === "ArrowDown") choose(chosen + 1);
    else if (event.key === "ArrowUp") choose(chosen === -1 ? list.children.length - 1 : chosen - 1);
    else if (event.key === "Escape") close();
    else if (event.key === "Enter" && chosen >= 0) list.children[chosen].take();
    else return;
    event.preventDefault();
    event.stopPropagation(); // the arrows move here, not through the hits
  });
  // The box is usable before this script has loaded.
  if (input.value !== input.defaultValue) askSoon();
};

if (input) suggest();
