// Moves the nodes of a map in a worker, so that the page stays responsive.
/* global d3, importScripts */
"use strict";

importScripts("../../vendor/d3-force.js");

const CALM = 0.02;
const WARM = 0.25;
const FEW = 100;

let simulation = null;
let nodes = [];
let isQuiet = false;
let isRunning = false;

const begin = ({ x, y, radius, source, target, apart, quiet }) => {
  isQuiet = quiet;
  nodes = Array.from(x, (_, at) => ({ index: at, x: x[at], y: y[at], r: radius[at] }));
  const links = Array.from(source, (_, at) => ({ source: source[at], target: target[at] }));
  const isLarge = nodes.length > 1500;
  const ease = nodes.length < FEW ? 4 : 1; // with few pages there is room for their names
  const push = d3.forceManyBody().theta(isLarge ? 1.2 : 0.9).distanceMax(isLarge ? 350 : 700);
  const pull = d3.forceLink(links).distance((link) => ease * apart + link.source.r + link.target.r);
  simulation = d3
    .forceSimulation(nodes)
    .stop()
    .alphaDecay(1 - Math.pow(CALM, 1 / (isLarge ? 90 : 160)))
    .alphaMin(CALM)
    .force("push", push.strength((node) => ease * (-18 - 4 * node.r)))
    .force("pull", pull)
    .force("x", d3.forceX().strength(0.05))
    .force("y", d3.forceY().strength(0.05));
  if (nodes.length <= 1500) simulation.force("room", d3.forceCollide((node) => node.r + 1.5));
  run();
};

const run = () => {
  if (isRunning) return;
  isRunning = true;
  step();
};

const step = () => {
  const started = performance.now();
  simulation.tick();
  const isCalm = simulation.alpha() < CALM;
  if (isCalm || !isQuiet) tell(isCalm);
  isRunning = !isCalm;
  // The pause lets messages from the page arrive, and leaves a small machine some time for the page.
  if (isRunning) setTimeout(step, (performance.now() - started) / 2);
};

const tell = (isCalm) => {
  const x = Float32Array.from(nodes, (node) => node.x);
  const y = Float32Array.from(nodes, (node) => node.y);
  postMessage({ x, y, isCalm }, [x.buffer, y.buffer]);
};

const hold = ({ at, x, y }) => {
  Object.assign(nodes[at], { fx: x, fy: y });
  simulation.alpha(Math.max(simulation.alpha(), WARM));
  run();
};

const letGo = ({ at }) => Object.assign(nodes[at], { fx: null, fy: null });

onmessage = ({ data }) => ({ begin, hold, letGo })[data.kind](data);
