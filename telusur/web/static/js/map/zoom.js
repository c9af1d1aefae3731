// Zooming, moving and touching a map.
/* global d3 */

import { nodeAt } from "./scene.js";

const SLACK = 6;
const ROOM = 0.92;

/** Let the canvas be zoomed and moved, and its nodes be dragged, pointed at and chosen. */
export const makeZoom = (canvas, scene, { changed, motion, point, pick, open }) => {
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const select = d3.select(canvas);
  const look = { transform: d3.zoomIdentity, isTouched: false };

  const zoom = d3
    .zoom()
    .scaleExtent([0.02, 12])
    .on("zoom", (event) => {
      look.transform = event.transform;
      look.isTouched ||= Boolean(event.sourceEvent);
      changed();
    });

  const under = (event) => {
    const [left, top] = d3.pointer(event, canvas);
    const [x, y] = look.transform.invert([left, top]);
    return nodeAt(scene, x, y, SLACK / look.transform.k);
  };

  const drag = d3
    .drag()
    .container(canvas)
    .filter((event) => !event.ctrlKey && !event.button && !(event.touches?.length > 1))
    .subject((event) => {
      const at = under(event.sourceEvent.touches?.[0] ?? event.sourceEvent);
      if (at < 0) return null;
      const [x, y] = look.transform.apply([scene.x[at], scene.y[at]]);
      return { at, x, y };
    })
    .on("drag", (event) => {
      motion.hold(event.subject.at, ...look.transform.invert([event.x, event.y]));
    })
    .on("end", (event) => motion.letGo(event.subject.at));

  select.call(drag).call(zoom).on("dblclick.zoom", null);
  // The position of the pointer; null while it is outside, or drags the map or a page.
  let resting = null;
  const leave = () => {
    resting = null;
    point(-1, 0, 0);
  };
  canvas.addEventListener("pointermove", (event) => {
    if (event.buttons) {
      leave();
      return;
    }
    resting = [event.offsetX, event.offsetY];
    look.pointAgain();
  });
  canvas.addEventListener("pointerleave", leave);
  canvas.addEventListener("click", (event) => pick(under(event)));
  canvas.addEventListener("dblclick", (event) => {
    const at = under(event);
    if (at >= 0) open(at);
  });

  const go = (transform) => {
    const moved = isStill ? select : select.transition().duration(350);
    moved.call(zoom.transform, transform);
  };

  const whole = (size) => {
    const reach = (values, sign) => values.reduce((far, value, at) => Math.max(far, sign * value + scene.radius[at]), -Infinity);
    const [left, right] = [-reach(scene.x, -1), reach(scene.x, 1)];
    const [top, bottom] = [-reach(scene.y, -1), reach(scene.y, 1)];
    const k = Math.min((ROOM * size.width) / (right - left || 1), (ROOM * size.height) / (bottom - top || 1), 3);
    return d3.zoomIdentity
      .translate(size.width / 2 - (k * (left + right)) / 2, size.height / 2 - (k * (top + bottom)) / 2)
      .scale(k);
  };

  return Object.assign(look, {
    /** Hover over what is under the pointer now: zooming and moving bring other pages there. */
    pointAgain: () => {
      if (!resting) return;
      const [x, y] = look.transform.invert(resting);
      point(nodeAt(scene, x, y, SLACK / look.transform.k), ...resting);
    },
    /** Show everything, at once or with a transition. */
    fit: (size, isSoon = false) => {
      if (!scene.count) return;
      if (isSoon) go(whole(size));
      else select.call(zoom.transform, whole(size));
    },
    by: (factor) => (isStill ? select : select.transition().duration(200)).call(zoom.scaleBy, factor),
    /** Bring a node into view if it is not. */
    show: (at, size) => {
      if (size.width <= 1) return; // not measured yet: all of it will be shown
      const [left, top] = look.transform.apply([scene.x[at], scene.y[at]]);
      const isInside = left > 20 && top > 20 && left < size.width - 20 && top < size.height - 20;
      if (isInside) return;
      look.isTouched = true;
      const k = Math.max(look.transform.k, 0.6);
      go(d3.zoomIdentity.translate(size.width / 2 - k * scene.x[at], size.height / 2 - k * scene.y[at]).scale(k));
    },
  });
};
