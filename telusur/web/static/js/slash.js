// The key "/" goes to the search box, except from a text field.
"use strict";

document.addEventListener("keydown", (event) => {
  const isTyping = event.target.closest("input, textarea, select, [contenteditable]");
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
  const box = document.querySelector("[data-search-box]");
  if (!box) return;
  event.preventDefault();
  box.focus();
  box.select();
});
