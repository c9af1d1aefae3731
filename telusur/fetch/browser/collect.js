// Reads a drawn page: its blocks of text with place and look, and its HTML in which everything that a
// person cannot see is marked `hidden`. It runs in a world of its own: scripts of the page share the tree
// with it, but none of its functions. The notion of a block is that of telusur/extract/page/dom.py.
(options) => {
  const NEVER_SHOWN = new Set(
    ("script style template noscript noembed noframes head iframe object embed video audio canvas svg " +
      "select datalist textarea").split(" "),
  );
  const VERBATIM = new Set(["pre", "listing", "xmp"]);
  const CANVAS = "rgb(255, 255, 255)";
  const isClear = (colour) => /^rgba\(.*, 0\)$|^transparent$/.test(colour);
  const MOST_DEPTH = 200;
  const blockTags = new Set(options.blockTags);
  const begun = performance.now();

  // A form answers to the names of its fields, a document to those of its images: `<input name=parentNode>`.
  // So properties are read by the getters of their prototypes.
  const getter = (prototype, name) => {
    const { get } = Object.getOwnPropertyDescriptor(prototype, name);
    return (object) => get.call(object);
  };
  const method = (prototype, name) => (object, ...given) => prototype[name].apply(object, given);
  const parentNodeOf = getter(Node.prototype, "parentNode");
  const documentOf = getter(Node.prototype, "ownerDocument");
  const childNodesOf = getter(Node.prototype, "childNodes");
  const nodeTypeOf = getter(Node.prototype, "nodeType");
  const tagOf = getter(Element.prototype, "localName");
  const shadowOf = getter(Element.prototype, "shadowRoot");
  const slotOfElement = getter(Element.prototype, "assignedSlot");
  const slotOfText = getter(Text.prototype, "assignedSlot");
  const classesOf = getter(Element.prototype, "classList");
  const outerHtmlOf = getter(Element.prototype, "outerHTML");
  const attributeOf = method(Element.prototype, "getAttribute");
  const setAttribute = method(Element.prototype, "setAttribute");
  const boxOf = method(Element.prototype, "getBoundingClientRect");
  const contains = method(Node.prototype, "contains");
  const bodyOf = getter(Document.prototype, "body");
  const rootOf = getter(Document.prototype, "documentElement");
  const insideOfIframe = getter(HTMLIFrameElement.prototype, "contentDocument");
  const insideOfFrame = getter(HTMLFrameElement.prototype, "contentDocument");
  const hrefOf = getter(HTMLAnchorElement.prototype, "href");
  const selectOne = method(Element.prototype, "querySelector");
  const selectAll = (selector) => Document.prototype.querySelectorAll.call(document, selector);
  const create = (tag) => Document.prototype.createElement.call(document, tag);
  const body = bodyOf(document);
  const head = getter(Document.prototype, "head")(document);
  const root = rootOf(document);
  const doctype = getter(Document.prototype, "doctype")(document);
  if (!root) return { url: location.href, html: "", blocks: [] };
  const hasTime = () => performance.now() - begun < options.lookMilliseconds;

  // The tree as it is drawn: a shadow root in place of its host's children, what a slot was given in it,
  // and the document in a frame, if it is of the same origin: others are none of our business.

  const frames = new Map(); // from the document to the frame that shows it
  const insideOf = (element, tag) => {
    if (tag !== "iframe" && tag !== "frame") return null;
    const inside = tag === "iframe" ? insideOfIframe(element) : insideOfFrame(element);
    if (!inside || !rootOf(inside) || frames.size >= options.mostFrames) return null;
    if (bodyOf(inside)?.textContent.trim()) frames.set(inside, element);
    return frames.has(inside) ? rootOf(inside) : null;
  };
  const parentOf = (node) => {
    const slot = nodeTypeOf(node) === Node.TEXT_NODE ? slotOfText(node) : slotOfElement(node);
    if (slot) return slot;
    const parent = parentNodeOf(node);
    const kind = parent ? nodeTypeOf(parent) : 0; // what is in a frame is no instance of our classes
    if (kind === Node.DOCUMENT_NODE) return frames.get(parent) ?? null;
    if (kind === Node.DOCUMENT_FRAGMENT_NODE) return parent.host ?? null;
    return kind === Node.ELEMENT_NODE ? parent : null;
  };
  const childrenOf = (element) => {
    const shadow = shadowOf(element);
    if (shadow) return childNodesOf(shadow);
    if (tagOf(element) === "slot") {
      const given = element.assignedNodes();
      if (given.length) return given;
    }
    return childNodesOf(element);
  };

  // What a person cannot see

  const NOTHING_ABOVE = { hider: null, isFolded: false, folds: false, background: CANVAS };
  const looks = new Map();
  const lookOf = (element) => {
    const missing = [];
    let above = element;
    while (above && !looks.has(above)) {
      missing.push(above);
      above = parentOf(above);
    }
    let look = above ? looks.get(above) : NOTHING_ABOVE;
    for (const one of missing.reverse()) {
      look = makeLook(one, look);
      looks.set(one, look);
    }
    return look;
  };
  const makeLook = (element, above) => {
    const style = getComputedStyle(element);
    const isHiding = !above.hider && hides(element, style);
    return {
      style,
      hider: isHiding ? element : above.hider,
      background: backgroundOf(style, above),
      isFolded: above.isFolded || (above.folds && tagOf(element) !== "summary"),
      folds: tagOf(element) === "details" && attributeOf(element, "open") === null,
    };
  };
  const hides = (element, style) =>
    style.display === "none" ||
    style.contentVisibility === "hidden" ||
    (Number(style.opacity) < 0.01 && !fadesIn(style)) ||
    isClippedAway(element, style);
  const fadesIn = (style) =>
    style.transform !== "none" ||
    style.animationName !== "none" ||
    (/\b(all|opacity)\b/.test(style.transitionProperty) && /[1-9]/.test(style.transitionDuration));
  const isClippedAway = (element, style) => {
    if (element === root || element === body) return false;
    if (/^i?frame$/.test(tagOf(element)) && hasNoSize(element)) return true;
    if (/^rect\(([01]px,? ?){4}\)$/.test(style.clip) && /absolute|fixed/.test(style.position)) return true;
    if (/^inset\((50|100)%/.test(style.clipPath) || /^circle\(0/.test(style.clipPath)) return true;
    if (style.overflowX === "visible" && style.overflowY === "visible") return false;
    if (style.display === "inline" || style.display === "contents") return false;
    return hasNoSize(element);
  };
  const hasNoSize = (element) => {
    const box = boxOf(element);
    return box.width <= 1 || box.height <= 1;
  };
  const backgroundOf = (style, above) => {
    if (style.backgroundImage !== "none") return null;
    const colour = style.backgroundColor;
    if (isClear(colour)) return above.background;
    return colour.startsWith("rgb(") ? colour : null;
  };

  // Whatever may lie between a text and the background of its element
  let covers = null;
  const isUncovered = (element, box) => {
    if (frames.has(documentOf(element))) return false; // a frame lies somewhere else
    if (covers === null) {
      covers = [];
      for (const one of [...selectAll("*")].slice(0, 20000)) {
        const style = getComputedStyle(one);
        const isMedia = /^(img|picture|video|canvas|svg|object|embed|iframe)$/.test(tagOf(one));
        const isPainted = style.backgroundImage !== "none" || !isClear(style.backgroundColor);
        if (isMedia || (isPainted && style.position !== "static")) covers.push(one);
      }
    }
    return !covers.some((one) => {
      if (contains(one, element)) return false;
      const other = boxOf(one);
      const isBeside = other.right <= box.left || other.left >= box.right;
      return !isBeside && other.bottom > box.top && other.top < box.bottom;
    });
  };

  const isRightToLeft = getComputedStyle(root).direction === "rtl";
  const range = Document.prototype.createRange.call(document);
  // Where the corner of a text's window lies on the page
  const origins = new Map();
  const originOf = (node) => {
    const inside = documentOf(node);
    if (!frames.has(inside)) return [scrollX, scrollY];
    if (!origins.has(inside)) {
      const frame = frames.get(inside);
      const [box, style, [x, y]] = [boxOf(frame), getComputedStyle(frame), originOf(frame)];
      const left = box.left + frame.clientLeft + (parseFloat(style.paddingLeft) || 0);
      const top = box.top + frame.clientTop + (parseFloat(style.paddingTop) || 0);
      origins.set(inside, [x + left, y + top]);
    }
    return origins.get(inside);
  };
  // Returns why a text cannot be seen: "out" when an element above hides it, "own" when it does itself,
  // "closed" when it would be there at a click.
  const whyHidden = (text, element) => {
    const { hider, background, style, isFolded, folds } = lookOf(element);
    if (hider) return "out";
    if (isFolded || folds) return "closed";
    if (style.visibility !== "visible" || parseFloat(style.fontSize) < 1) return "own";
    range.selectNodeContents(text);
    const box = range.getBoundingClientRect();
    if (!box.width && !box.height) return "closed";
    const origin = originOf(text);
    const [x, y] = [box.right + origin[0], box.bottom + origin[1]];
    if ((x <= 0 && !isRightToLeft) || y <= 0) return "own";
    const colour = style.webkitTextFillColor;
    if (style.webkitBackgroundClip === "text" || style.textShadow !== "none") return "";
    if (isClear(colour)) return "own";
    return colour === background && isUncovered(element, box) ? "own" : "";
  };

  // One walk in reading order

  const lines = [];
  const hiddenTexts = [];
  const hosts = [];
  const walk = () => {
    let line = null;
    let nodes = 0;
    const start = { block: root, linked: false, verbatim: false };
    const stack = [[body ?? root, start]];
    while (stack.length && nodes++ < options.mostNodes && lines.length < options.mostBlocks) {
      const [node, place] = stack.pop();
      const isElement = nodeTypeOf(node) === Node.ELEMENT_NODE;
      const tag = isElement ? tagOf(node) : "";
      const inside = isElement ? insideOf(node, tag) : null;
      if (nodeTypeOf(node) === Node.TEXT_NODE) {
        line = addText(node, place, line);
      } else if (inside) {
        line = null;
        stack.push([inside, { ...place, block: node }]);
      } else if (isElement && !NEVER_SHOWN.has(tag)) {
        let inner = place;
        if (blockTags.has(tag)) {
          inner = { block: node, linked: place.linked, verbatim: place.verbatim || VERBATIM.has(tag) };
          line = null;
        } else if (tag === "a") {
          inner = { ...place, linked: true };
        } else if (tag === "br" && line) {
          line.pieces.push("\0");
        }
        if (shadowOf(node)) hosts.push(node);
        const children = childrenOf(node);
        for (let at = children.length - 1; at >= 0; at--) stack.push([children[at], inner]);
      }
    }
  };
  const addText = (node, place, line) => {
    const data = node.data;
    if (!/\S/.test(data)) {
      line?.pieces.push(data);
      return line;
    }
    if (line?.block !== place.block) {
      line = { block: place.block, verbatim: place.verbatim, pieces: [], texts: [], linked: 0, shown: 0 };
      lines.push(line);
    }
    line.pieces.push(data);
    line.texts.push(node);
    if (place.linked) line.linked += data.length;
    const why = hasTime() ? whyHidden(node, parentOf(node)) : "";
    if (!why) line.shown++;
    if (why === "out" || why === "own") hiddenTexts.push([node, why]);
    return line;
  };

  // Lines as blocks

  const textOf = (line) => {
    const joined = line.pieces.join("").replaceAll("\xad", "");
    if (line.verbatim) return joined.replaceAll("\0", "\n").replace(/^\n+/, "").trimEnd();
    const rows = joined.split("\0").map((row) => row.replace(/\s+/g, " ").trim());
    return rows.filter(Boolean).join("\n");
  };
  const selectorOf = (element) => {
    const name = attributeOf(element, "id");
    const id = name ? `#${CSS.escape(name)}` : "";
    const classes = [...classesOf(element)].slice(0, 10).map((name) => `.${CSS.escape(name)}`);
    return tagOf(element) + id + classes.join("");
  };
  const paths = new Map();
  const pathOf = (element) => {
    if (!paths.has(element)) {
      const chain = [];
      for (let one = element; one && chain.length < MOST_DEPTH; one = parentOf(one)) chain.push(one);
      chain.reverse();
      const path = chain.map(tagOf).join("/");
      const container = chain.map(selectorOf).join(" > ");
      paths.set(element, [path, container.slice(0, 4000)]);
    }
    return paths.get(element);
  };
  const boundsOf = (line) => {
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const text of line.texts) {
      range.selectNodeContents(text);
      const box = range.getBoundingClientRect();
      if (!box.width && !box.height) continue;
      [left, top] = [Math.min(left, box.left), Math.min(top, box.top)];
      [right, bottom] = [Math.max(right, box.right), Math.max(bottom, box.bottom)];
    }
    if (left === Infinity) return [0, 0, 0, 0];
    const [x, y] = originOf(line.texts[0]);
    const exact = [left + x, top + y, right - left, bottom - top];
    return exact.map((number) => Math.round(number * 100) / 100);
  };
  const cssOf = (line) => {
    const longest = line.texts.reduce((one, two) => (two.data.length > one.data.length ? two : one));
    const ofText = lookOf(parentOf(longest)).style;
    const ofBox = lookOf(line.block).style;
    const css = {};
    for (const name of options.textProperties) css[name] = ofText.getPropertyValue(name);
    for (const name of options.boxProperties) css[name] = ofBox.getPropertyValue(name).slice(0, 200);
    return css;
  };
  const blockSelector = options.blockTags.join(",");
  const leaves = new Map();
  const isLeaf = (element) => {
    if (!leaves.has(element)) leaves.set(element, selectOne(element, blockSelector) === null);
    return leaves.get(element);
  };
  // The element as it is written; of one that holds other blocks only its tag and this line.
  const htmlOf = (line) => {
    if (isLeaf(line.block)) return outerHtmlOf(line.block).slice(0, options.longestHtml);
    const shell = Node.prototype.cloneNode.call(line.block, false);
    range.setStartBefore(line.texts[0]);
    range.setEndAfter(line.texts.at(-1));
    shell.append(range.cloneContents());
    return outerHtmlOf(shell).slice(0, options.longestHtml);
  };
  const recordsOf = (all) => {
    let heading = "";
    const records = [];
    for (const line of all) {
      const text = textOf(line);
      if (!text) continue;
      const element = line.block;
      const [path, selectors] = pathOf(element);
      const mayLook = hasTime();
      records.push({
        text, path, selectors, heading,
        id: attributeOf(element, "id") ?? "",
        classes: attributeOf(element, "class") ?? "",
        style: attributeOf(element, "style") ?? "",
        linked: line.linked,
        html: mayLook ? htmlOf(line) : "",
        bounds: mayLook ? boundsOf(line) : null,
        css: mayLook ? cssOf(line) : null,
        hidden: isTrusted && !line.shown,
      });
      if (/^h[1-6]$/.test(tagOf(element))) heading = text.slice(0, 500);
    }
    return records;
  };

  // The page as HTML. It is changed for that: nobody looks at it any more.

  // A page that hides nearly all of its text waits for a script that shows it: it is not believed.
  const isBelieved = () => {
    const count = (texts) => texts.reduce((sum, text) => sum + text.data.length, 0);
    return count(hiddenTexts.map(([text]) => text)) <= 0.8 * count(lines.flatMap((line) => line.texts));
  };
  const markHidden = () => {
    const own = hiddenTexts.filter(([, why]) => why === "own");
    for (const [text, why] of hiddenTexts) {
      const hider = why === "out" ? lookOf(parentOf(text)).hider : null;
      if (hider && hider !== body && hider !== root) setAttribute(hider, "hidden", "");
    }
    for (const [text] of own) {
      const wrap = create("span");
      wrap.setAttribute("hidden", "");
      text.replaceWith(wrap);
      wrap.append(text);
    }
  };
  const openShadows = () => {
    for (const host of hosts.reverse()) {
      const shadow = shadowOf(host);
      for (const style of shadow.querySelectorAll("style,link")) style.remove();
      for (const slot of shadow.querySelectorAll("slot")) {
        const given = slot.assignedNodes();
        slot.replaceWith(...(given.length ? given : slot.childNodes));
      }
      host.replaceChildren(...shadow.childNodes);
    }
  };
  // What a frame shows stands behind it, with whole links: they were relative to another page.
  const openFrames = () => {
    const boxes = new Map();
    for (const [inside, frame] of [...frames].reverse()) {
      const shown = bodyOf(inside);
      const box = create("div");
      const isHidden = [frame, rootOf(inside), shown].some((one) => attributeOf(one, "hidden") !== null);
      if (isHidden) setAttribute(box, "hidden", "");
      for (const one of shown.querySelectorAll("script,style,link,noscript,base")) one.remove();
      for (const link of shown.querySelectorAll("a[href]")) setAttribute(link, "href", hrefOf(link));
      box.append(...childNodesOf(shown));
      boxes.set(frame, box);
      frame.after(box);
    }
    if (body && tagOf(body) === "frameset") body.replaceWith(withoutFrameset(boxes));
  };
  const withoutFrameset = (boxes) => {
    const plain = create("body");
    for (const frame of selectAll("frame")) {
      const link = create("iframe");
      setAttribute(link, "src", attributeOf(frame, "src") ?? "");
      plain.append(link, boxes.get(frame) ?? "");
    }
    return plain;
  };
  const toHtml = () => {
    if (isTrusted) {
      markHidden();
      for (const sheet of selectAll("style")) sheet.remove(); // nobody needs to judge by them again
    }
    openFrames(); // first: a frame that is moved becomes empty
    openShadows();
    for (const element of selectAll("noscript")) element.remove();
    if (head && selectAll("base[href]").length === 0 && location.href !== options.url) {
      const base = create("base");
      base.setAttribute("href", location.href);
      head.prepend(base);
    }
    const start = doctype ? new XMLSerializer().serializeToString(doctype) : "";
    return (start + outerHtmlOf(root)).slice(0, options.mostCharacters);
  };

  scrollTo(0, 0);
  walk();
  const isTrusted = isBelieved();
  const blocks = options.blocks ? recordsOf(lines) : [];
  return { url: location.href, html: toHtml(), blocks };
}
