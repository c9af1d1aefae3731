// Where nodes are at a moment: the worker says where they go, and frames interpolate.

const LEAST_MS = 16;

/** Start the worker; `changed` is called when there is something new to draw. */
export const makeMotion = (scene, script, changed, calm) => {
  const worker = new Worker(script);
  const quiet = matchMedia("(prefers-reduced-motion: reduce)").matches;
  let from = null;
  let to = null;
  let began = 0;
  let lasts = LEAST_MS;
  let held = -1;

  worker.onmessage = ({ data }) => {
    const now = performance.now();
    lasts = to ? Math.max(LEAST_MS, Math.min(now - began, 400)) : LEAST_MS;
    from = { x: scene.x.slice(), y: scene.y.slice() };
    to = data;
    began = now;
    changed();
  };
  const { x, y, radius, source, target, apart } = scene;
  worker.postMessage({ kind: "begin", x, y, radius, source, target, apart, quiet });

  return {
    /** Put all nodes where they are now; return whether they still move. */
    advance: (now) => {
      if (!to) return false;
      const part = quiet ? 1 : Math.min((now - began) / lasts, 1);
      for (let at = 0; at < scene.count; at += 1) {
        if (at === held) continue;
        scene.x[at] = from.x[at] + (to.x[at] - from.x[at]) * part;
        scene.y[at] = from.y[at] + (to.y[at] - from.y[at]) * part;
      }
      if (part < 1) return true;
      const isCalm = to.isCalm;
      if (isCalm) {
        to = null;
        calm();
      }
      return !isCalm;
    },
    hold: (at, left, top) => {
      held = at;
      [scene.x[at], scene.y[at]] = [left, top];
      worker.postMessage({ kind: "hold", at, x: left, y: top });
      changed();
    },
    letGo: (at) => {
      held = -1;
      worker.postMessage({ kind: "letGo", at });
    },
  };
};
