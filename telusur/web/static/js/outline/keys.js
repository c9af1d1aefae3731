// The outline by keyboard, like any tree: arrows, Home, End, Enter, and the first letters of a name.

const FORGET_MS = 700;

export const listenToKeys = (box, { rows, focus, isOpen, open, close, follow }) => {
  let typed = "";
  let timer = 0;

  const findName = (row, letter) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      typed = "";
    }, FORGET_MS);
    typed += letter.toLowerCase();
    const all = rows();
    const at = all.indexOf(row);
    // The same letter again goes to the next name; further letters may stay on a name that still matches.
    const first = typed.length > 1 ? at : at + 1;
    const inOrder = [...all.slice(first), ...all.slice(0, first)];
    return inOrder.find((each) => (each.dataset.name ?? "").toLowerCase().startsWith(typed));
  };

  const step = (row, by) => {
    const all = rows();
    return all[Math.min(Math.max(all.indexOf(row) + by, 0), all.length - 1)];
  };
  const actions = {
    ArrowDown: (row) => focus(step(row, 1)),
    ArrowUp: (row) => focus(step(row, -1)),
    Home: () => focus(rows()[0]),
    End: () => focus(rows().at(-1)),
    ArrowRight: (row) => (isOpen(row) ? focus(step(row, 1)) : open(row)),
    ArrowLeft: (row) => {
      if (isOpen(row)) return close(row);
      const above = row.parentElement.closest(".branch");
      return above && focus(above);
    },
    Enter: follow,
  };

  box.addEventListener("keydown", (event) => {
    const row = event.target.closest(".branch, .branch-more");
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in actions) {
      typed = "";
      actions[event.key](row);
    } else if (event.key.length === 1 && event.key !== " ") {
      const found = findName(row, event.key);
      if (found) focus(found);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  });
};
