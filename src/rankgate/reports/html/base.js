"use strict";

// Data, and the few functions that make elements. Texts become text nodes and attributes, never markup.

const data = JSON.parse(document.getElementById("data").textContent);
const measures = data.measures.map(([label, name, higher, gated]) => ({ label, name, higher: higher === 1, gated: gated === 1 }));
const queries = data.queries.map((query, position) => ({
  text: "", note: "", place: "", slices: [], values: [], rules: [], reasons: [], moves: [], missing: [], documents: [], duplicates: 0, carried: false,
  ...query,
  position,
}));

const SVG = "http://www.w3.org/2000/svg";
const SIGNS = { better: "\u25b2", worse: "\u25bc" };

function byId(id) {
  return document.getElementById(id);
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value !== null && value !== false) node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== "") node.append(child);
  }
  return node;
}

// An element; functions among the attributes are listeners.
function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function draw(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function counted(number, one, many) {
  return `${number} ${number === 1 ? one : many}`;
}

// The values of a query in one measure; texts as every report writes them, "-" where there is none.
function valueOf(query, measure) {
  const [before = "-", now = "-", change = "-", trend = ""] = query.values[measure] || [];
  return { before, now, change, trend };
}

function number(text) {
  return text === "-" ? null : Number(text);
}

// By how much a query got better in a measure, whichever way the measure runs; null where it was not compared.
function gain(query, measure) {
  const change = number(valueOf(query, measure).change);
  return change === null ? null : measures[measure].higher ? change : -change;
}

// Whether the gate compares a query: only then is it in a chart of changes.
function wasCompared({ state }) {
  return !["new", "text changed", "uncompared", "unmeasured"].includes(state);
}

function changeMark(change, trend) {
  const sign = SIGNS[trend];
  return make(
    "span",
    { class: `change ${trend === "same" ? "" : trend}`.trim() },
    sign ? make("span", { "aria-hidden": "true" }, `${sign} `) : null,
    change,
    sign ? make("span", { class: "unseen" }, ` ${trend}`) : null,
  );
}

function code(text) {
  return make("code", {}, text);
}

function fragment(query) {
  return `#query=${encodeURIComponent(query.id)}`;
}

// What a mark or a row says of one query.
function described(query, measure) {
  const { before, now, change, trend } = valueOf(query, measure);
  const label = measures[measure].label;
  if (change === "-") return `${query.id}: ${label} ${now}`;
  return `${query.id}: ${label} ${before} \u2192 ${now}, ${trend === "same" ? "same" : `${trend} by ${change.replace(/^[+-]/, "")}`}`;
}

function prefersStill() {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}

function bringIntoView(node) {
  node.scrollIntoView({ behavior: prefersStill() ? "auto" : "smooth", block: "start" });
}
