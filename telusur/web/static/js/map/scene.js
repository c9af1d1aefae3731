// The contents of the map as arrays: positions, sizes, colours and links.

const SITE_SPACING = 60;
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

const HUES = 12;
const SHADES = 5;

/** Return the colour of a topic score; these follow the colours of the sites. */
export const shadeOf = (topic) => HUES + Math.min(Math.floor(topic * SHADES), SHADES - 1);

/** Return the topic score of a page in words, if it has one. */
export const sayTopic = (topic) => (topic === null || topic === undefined ? "" : `, topic ${topic}`);

/** Return the scene of pages that `/graph.json` answers, coloured by site or by topic. */
export const sceneOfPages = (answer, addresses) => {
  const byTopic = addresses.colour === "topic";
  const hues = new Map(answer.sites.map((site) => [site.domain, site.hue]));
  const nodes = answer.nodes.map((node) => ({
    url: node.url,
    name: node.title || node.url,
    note: `${node.domain}, ${node.depth ? `depth ${node.depth}` : "start URL"}${sayTopic(node.topic)}`,
    domain: node.domain,
    hue: byTopic && node.topic !== null ? shadeOf(node.topic) : (hues.get(node.domain) ?? 0),
    radius: 2.5 + Math.min(2.2 * Math.sqrt(Math.max(node.rank, 0)), 16),
    isFaint: !node.fits || (byTopic && node.topic === null),
    href: `${addresses.page}?${new URLSearchParams({ url: node.url })}`,
    x: node.x,
    y: node.y,
  }));
  return makeScene(nodes, answer.links, 22);
};

/** Return the scene of sites that `/graph/sites.json` answers. */
export const sceneOfSites = (answer, addresses) => {
  const nodes = answer.sites.map((site, at) => ({
    url: "",
    name: site.domain,
    note: `${site.pages.toLocaleString("en")} page${site.pages === 1 ? "" : "s"}`,
    domain: site.domain,
    hue: site.hue,
    radius: 5 + Math.min(1.2 * Math.sqrt(site.pages), 45),
    isFaint: false,
    href: `${addresses.mapPage}?${new URLSearchParams({ site: site.domain })}`,
    x: SITE_SPACING * Math.sqrt(at) * Math.cos(at * GOLDEN_ANGLE),
    y: SITE_SPACING * Math.sqrt(at) * Math.sin(at * GOLDEN_ANGLE),
  }));
  return makeScene(nodes, answer.links, 110);
};

const makeScene = (nodes, links, apart) => {
  const scene = {
    nodes,
    count: nodes.length,
    apart,
    x: Float32Array.from(nodes, (node) => node.x),
    y: Float32Array.from(nodes, (node) => node.y),
    radius: Float32Array.from(nodes, (node) => node.radius),
    source: Uint32Array.from(links, (link) => link.source),
    target: Uint32Array.from(links, (link) => link.target),
    placeOf: new Map(nodes.map((node, at) => [node.url || node.domain, at])),
    bySize: nodes.map((_, at) => at).sort((a, b) => nodes[b].radius - nodes[a].radius),
    chosen: -1,
    hovered: -1,
    found: null,
  };
  scene.linked = makeLinked(scene);
  return scene;
};

const makeLinked = (scene) => {
  const linked = scene.nodes.map(() => []);
  scene.source.forEach((from, at) => {
    linked[from].push(scene.target[at]);
    linked[scene.target[at]].push(from);
  });
  return linked;
};

/** Return the node at a point of the map, or -1; `slack` makes small ones easier to hit. */
export const nodeAt = (scene, x, y, slack) => {
  let best = -1;
  let nearest = Infinity;
  for (let at = 0; at < scene.count; at += 1) {
    const away = Math.hypot(scene.x[at] - x, scene.y[at] - y) - scene.radius[at];
    if (away < slack && away < nearest) [best, nearest] = [at, away];
  }
  return best;
};

/** Return the linked node that lies in a direction (radians), or -1. */
export const nodeTowards = (scene, from, direction) => {
  let best = -1;
  let least = Infinity;
  for (const at of scene.linked[from]) {
    const [dx, dy] = [scene.x[at] - scene.x[from], scene.y[at] - scene.y[from]];
    const turn = Math.abs(Math.atan2(Math.sin(Math.atan2(dy, dx) - direction), Math.cos(Math.atan2(dy, dx) - direction)));
    const cost = Math.hypot(dx, dy) * (1 + 2 * turn);
    if (at !== from && turn < Math.PI / 2 && cost < least) [best, least] = [at, cost];
  }
  return best;
};
