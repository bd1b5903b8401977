"use strict";
// Data of the page, and the one state that all views show. Texts from data only ever become text nodes.

const SHARE = 0, COUNT = 3, YES_NO = 4, WORD = 7; // units of columns
const HIGHER = 0, LOWER = 1, NEUTRAL = 2; // which values are better
const byId = (id) => document.getElementById(id);
const json = (id) => { const at = byId(id); return at ? JSON.parse(at.textContent) : null; };

const arrays = new Map();

function bytesOf(element) {
  const text = element.textContent;
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const raw = atob(text), bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) bytes[i] = raw.charCodeAt(i);
  return bytes;
}

/** A typed array of the page; null where it has none. Decoded when first used. */
function values(id, Type) {
  if (!arrays.has(id)) {
    const element = byId(id);
    arrays.set(id, element ? new Type(bytesOf(element).buffer) : null);
    if (element) element.textContent = ""; // the text is no longer needed
  }
  return arrays.get(id);
}

const cached = new Map();
function cachedJson(id) {
  if (!cached.has(id)) cached.set(id, json(id));
  return cached.get(id);
}

const audit = json("summary");
const sets = [0, ...audit.models.map((_, m) => m + 1)].map((s) => {
  const texts = json(`s${s}.texts`);
  return { ...texts, count: texts.ids.length, classes: texts.classes, code: values(`s${s}.class`, Uint32Array), row: values(`s${s}.row`, Uint32Array),
           pictures: json(`s${s}.pictures`), selected: new Uint8Array(texts.ids.length) };
});

const state = {
  model: audit.start, // index into audit.models
  current: null,      // { side, at }: the sample in hand
  shown: { real: null, synthetic: null },
  filter: { name: "", verdict: "", text: "" },
  brush: null,        // { column, low, high } of the last selected range
  rules: null,        // of the last clicked finding
};

const model = () => audit.models[state.model];
const setNumber = (side) => (side === "real" ? 0 : state.model + 1);
const setOf = (side) => sets[setNumber(side)];
const columnValues = (side, id) => values(`m${state.model + 1}.${side}.${id}`, Float32Array);
const columnsOf = (side) => model().columns.filter((c) => c.side === side);
const columnNamed = (side, id) => model().columns.find((c) => c.side === side && c.id === id);
const verdictColumn = (side) => (side === "real" ? "coverage_verdict" : "verdict");

function verdictOf(side, at) {
  const all = columnValues(side, verdictColumn(side));
  const column = columnNamed(side, verdictColumn(side));
  return all && column && !Number.isNaN(all[at]) ? column.words[all[at]] : "";
}
function classOf(side, at) {
  const set = setOf(side);
  return set.code ? set.classes[set.code[at]] : "";
}
function nameOf(side, at) {
  const set = setOf(side), label = classOf(side, at);
  return (set.hasIds ? set.ids[at] : `row ${set.ids[at]}`) + (label ? `, class ${label}` : "");
}

/** Three significant digits, counts as whole numbers, as the report writes them. */
function numberText(value, unit, words) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (unit === WORD && words && words[value] !== undefined) return words[value];
  if (unit === YES_NO && (value === 0 || value === 1)) return value ? "yes" : "no";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const size = Math.abs(value);
  if (unit === COUNT || size >= 999.5) return (size >= 1e7 ? value.toPrecision(3) : Math.round(value).toLocaleString("en-US")).replace("-", "−");
  return (size ? value.toPrecision(3) : "0").replace("-", "−");
}
/** A number on an axis: without zeros at its end. */
const tickText = (value) => (Math.abs(value) >= 1000 ? numberText(value) : String(Number(value.toPrecision(3))).replace("-", "−"));
const counted = (n, one, many) => `${n.toLocaleString("en-US")} ${n === 1 ? one : many}`;
const unitText = (unit) => ["share", "nats", "distance", "", "", "", "", ""][unit];
const titleOf = (column) => column.title + (unitText(column.unit) && column.unit ? ` (${unitText(column.unit)})` : "");

/** Makes an element; strings among the children become text. */
function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key in element) element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children.filter((c) => c !== null && c !== ""));
  return element;
}

const shades = new Map();
/** A colour of the style sheet in the theme at hand. */
function color(name) {
  if (!shades.has(name)) shades.set(name, getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim());
  return shades.get(name);
}

function applyFilter() {
  const { name, verdict, text } = state.filter, sought = text.toLowerCase();
  for (const side of ["real", "synthetic"]) {
    const set = setOf(side), shown = new Uint8Array(set.count);
    const words = columnNamed(side, verdictColumn(side))?.words ?? [];
    for (let at = 0; at < set.count; ++at) {
      const isOfClass = !name || classOf(side, at) === name.slice(1);
      const isOfVerdict = !verdict || !words.includes(verdict) || verdictOf(side, at) === verdict;
      const isFound = !sought || nameOf(side, at).toLowerCase().includes(sought);
      shown[at] = isOfClass && isOfVerdict && isFound ? 1 : 0;
    }
    state.shown[side] = shown;
  }
}

function selectedAt(side) {
  const found = [], selected = setOf(side).selected;
  for (let at = 0; at < selected.length; ++at) if (selected[at]) found.push(at);
  return found;
}
const selectedIds = (side) => selectedAt(side).map((at) => setOf(side).ids[at]);

/** How a click or drag changes the selection: as in the window. */
function modeOf(event) {
  const control = event.ctrlKey || event.metaKey;
  return control && event.shiftKey ? "subtract" : control ? "toggle" : event.shiftKey ? "add" : "replace";
}

/** Selects samples. @param samples positions by side */
function select(samples, mode = "replace") {
  for (const side of ["real", "synthetic"]) {
    const selected = setOf(side).selected;
    if (mode === "replace") selected.fill(0);
    for (const at of samples[side] ?? []) selected[at] = mode === "subtract" ? 0 : mode === "toggle" ? 1 - selected[at] : 1;
  }
  selectionChanged();
}

const atlases = new Map();
/** The picture that holds a sample's picture, once it is there. */
function atlasOf(set, at, ready) {
  const id = `s${set}.atlas${Math.floor(at / 1024)}`;
  if (!atlases.has(id)) {
    const element = byId(id);
    if (!element) { atlases.set(id, null); return; }
    const image = new Image();
    atlases.set(id, image);
    image.src = `data:${element.dataset.type};base64,${element.textContent}`;
    element.textContent = "";
  }
  const image = atlases.get(id);
  if (image && image.complete && image.naturalWidth) ready(image);
  else if (image) image.addEventListener("load", () => ready(image), { once: true });
}

const positions = new Map();
/** Where on the page a row of a set is; undefined where it is not. */
function positionOf(side, row) {
  const number = setNumber(side);
  if (!positions.has(number)) positions.set(number, new Map([...setOf(side).row].map((one, at) => [one, at])));
  return positions.get(number).get(row);
}

const hasPictures = (side) => Boolean(setOf(side).pictures?.cell);

/** A sample's picture, or its name where it has none. */
function picture(side, at, longest) {
  const set = setOf(side), number = setNumber(side);
  if (!hasPictures(side)) return make("span", { className: "name" }, nameOf(side, at));
  const { width, height, cell } = set.pictures;
  const canvas = make("canvas", { width, height, role: "img", "aria-label": `${side} ${nameOf(side, at)}` });
  canvas.style.width = `${Math.round(longest * width / Math.max(width, height))}px`;
  atlasOf(number, at, (image) => {
    const place = at % 1024;
    canvas.getContext("2d").drawImage(image, (place % 32) * cell, Math.floor(place / 32) * cell, width, height, 0, 0, width, height);
  });
  return canvas;
}
