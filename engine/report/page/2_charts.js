"use strict";
// Charts: fidelity and coverage of the models, and the distribution of one column.

/** A canvas in pixels of the screen. @return its context, width and height in pixels of the page */
function prepared(canvas) {
  const width = canvas.clientWidth, height = Number(canvas.getAttribute("data-height") ?? canvas.getAttribute("height"));
  const ratio = window.devicePixelRatio || 1;
  canvas.setAttribute("data-height", height);
  canvas.style.height = `${height}px`;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = '12px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';
  return { context, width, height };
}

function text(context, words, x, y, align = "left", shade = "text") {
  context.fillStyle = color(shade);
  context.textAlign = align;
  context.fillText(words, x, y);
}

function fitted(context, words, width) {
  if (context.measureText(words).width <= width) return words;
  let length = words.length;
  while (length > 1 && context.measureText(`${words.slice(0, length)}…`).width > width) --length;
  return `${words.slice(0, length)}…`;
}

let scatterMarks = [];

function drawScatter() {
  const { context, width, height } = prepared(byId("scatter"));
  const box = { left: 54, right: width - 12, top: 10, bottom: height - 36 };
  const x = (v) => box.left + Math.min(1.05, Math.max(0, v)) * (box.right - box.left) / 1.05;
  const y = (v) => box.bottom - Math.min(1.05, Math.max(0, v)) * (box.bottom - box.top) / 1.05;
  for (let tick = 0; tick <= 1.001; tick += 0.25) {
    context.strokeStyle = color("grid");
    context.beginPath();
    context.moveTo(x(tick), box.top); context.lineTo(x(tick), box.bottom);
    context.moveTo(box.left, y(tick)); context.lineTo(box.right, y(tick));
    context.stroke();
    text(context, String(tick), x(tick), box.bottom + 14, "center", "muted");
    text(context, String(tick), box.left - 5, y(tick) + 4, "right", "muted");
  }
  text(context, "Fidelity (clipped density)", (box.left + box.right) / 2, height - 6, "center", "muted");
  context.save();
  context.translate(13, (box.top + box.bottom) / 2);
  context.rotate(-Math.PI / 2);
  text(context, "Coverage (clipped)", 0, 0, "center", "muted");
  context.restore();
  scatterMarks = [];
  // Places where no label may be: other labels, and all marks.
  const marks = audit.models.map((one) => ["clipped_density", "clipped_coverage"].map((id) => one.metrics.find((metric) => metric.id === id)))
    .map(([fidelity, coverage], m) => ({ m, fidelity, coverage }))
    .filter(({ fidelity, coverage }) => fidelity && coverage && fidelity.value !== null && coverage.value !== null);
  const taken = marks.map(({ fidelity, coverage }) => ({ y: y(coverage.value) + 4, left: x(fidelity.value) - 7, right: x(fidelity.value) + 7 }));
  for (const { m, fidelity, coverage } of marks) {
    const at = [x(fidelity.value), y(coverage.value)];
    context.strokeStyle = context.fillStyle = color(`c${m % 6}`);
    context.lineWidth = 1.5;
    context.beginPath();
    context.moveTo(x(fidelity.low), at[1]); context.lineTo(x(fidelity.high), at[1]);
    context.moveTo(at[0], y(coverage.low)); context.lineTo(at[0], y(coverage.high));
    context.stroke();
    context.beginPath();
    context.arc(at[0], at[1], m === state.model ? 7 : 5, 0, 7);
    context.fill();
    if (m === state.model) { context.strokeStyle = color("text"); context.lineWidth = 2; context.stroke(); }
    scatterMarks.push({ m, x: at[0], y: at[1] });
    // A label moves off its mark's neighbours; the mark never moves.
    const label = fitted(context, `${m + 1} ${audit.models[m].name}`, 110), long = context.measureText(label).width;
    const left = at[0] + 10 + long > box.right ? at[0] - 10 - long : at[0] + 10;
    const isFree = (v) => v > box.top + 8 && v < box.bottom && !taken.some((t) => Math.abs(t.y - v) < 13 && t.left < left + long && left < t.right);
    const low = [-6, 8, 20, -20, 34, -34, 48, -48, 62].map((step) => at[1] + step).find(isFree) ?? at[1] - 6;
    taken.push({ y: low, left, right: left + long });
    text(context, label, left, low);
  }
  if (!scatterMarks.length) text(context, "No scores to compare", (box.left + box.right) / 2, height / 2, "center", "muted");
}

// The distribution.

/** Round values between two others. */
function ticksOf(low, high, about) {
  const least = (high - low) / about, power = 10 ** Math.floor(Math.log10(least));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= least * 0.999), ticks = [];
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high + step * 1e-9; ++n) ticks.push(n * step + 0); // + 0: never −0
  return ticks;
}

const distribution = { column: null, drag: null };
const barOf = (column, value) => Math.min(column.counts.length - 1, Math.max(0,
  Math.floor((value - column.low) / (column.high - column.low) * column.counts.length)));

function distributionBox() {
  const canvas = byId("distribution");
  return { left: 56, right: canvas.clientWidth - 14, top: 8, bottom: Number(canvas.getAttribute("data-height")) - 34 };
}

function drawDistribution() {
  const canvas = byId("distribution"), { context, width, height } = prepared(canvas);
  const column = distribution.column;
  if (!column) { text(context, "No column to show", width / 2, height / 2, "center", "muted"); return; }
  const box = distributionBox(), bars = column.counts.length, side = column.side;
  const all = columnValues(side, column.id), shown = state.shown[side], selected = setOf(side).selected;
  const seen = new Uint32Array(bars), chosen = new Uint32Array(bars);
  for (let at = 0; at < all.length; ++at) {
    if (!shown[at] || Number.isNaN(all[at])) continue;
    const bar = barOf(column, all[at]);
    ++seen[bar];
    if (selected[at]) ++chosen[bar];
  }
  const most = Math.max(1, ...column.counts), ticks = ticksOf(0, most, 4).filter(Number.isInteger);
  const step = (box.right - box.left) / bars;
  const y = (count) => box.bottom - count / most * (box.bottom - box.top);
  for (const count of ticks) {
    context.strokeStyle = color("grid");
    context.beginPath(); context.moveTo(box.left, y(count)); context.lineTo(box.right, y(count)); context.stroke();
    text(context, numberText(count, COUNT), box.left - 5, y(count) + 4, "right", "muted");
  }
  const draw = (counts, shade) => {
    context.fillStyle = color(shade);
    counts.forEach((count, bar) => context.fillRect(box.left + bar * step + 0.5, y(count), Math.max(1, step - 1), box.bottom - y(count)));
  };
  draw(column.counts, "faded");
  draw(seen, side);
  draw(chosen, "selected");
  const isNamed = column.unit === WORD || column.unit === YES_NO, isDiscrete = column.values.length > 0 && column.values.length <= 12;
  for (const value of isNamed || isDiscrete ? column.values : ticksOf(column.low, column.high, 5)) {
    const x = box.left + (value - column.low) / (column.high - column.low) * (box.right - box.left);
    text(context, isNamed ? fitted(context, numberText(value, column.unit, column.words), step - 4) : tickText(value), x, box.bottom + 14, "center", "muted");
  }
  text(context, titleOf(column), (box.left + box.right) / 2, height - 4, "center", "muted");
  if (distribution.drag) {
    const [from, to] = [distribution.drag.from, distribution.drag.to].sort((a, b) => a - b);
    context.strokeStyle = color("focus");
    context.strokeRect(from, box.top, to - from, box.bottom - box.top);
  }
}

function brushed(from, to, mode) {
  const column = distribution.column, box = distributionBox(), all = columnValues(column.side, column.id);
  const valueAt = (x) => column.low + (x - box.left) / (box.right - box.left) * (column.high - column.low);
  // The outer bars hold what lies beyond the axis.
  const low = from <= box.left ? -Infinity : valueAt(from), high = to >= box.right ? Infinity : valueAt(to);
  const found = [];
  for (let at = 0; at < all.length; ++at) if (state.shown[column.side][at] && all[at] >= low && all[at] <= high) found.push(at);
  state.brush = column.side === "synthetic" ? { column: column.id, unit: column.unit, words: column.words, low, high } : null;
  state.rules = null;
  select({ [column.side]: found }, mode);
}

function wireCharts() {
  byId("scatter").addEventListener("click", (event) => {
    const near = scatterMarks.map((mark) => ({ ...mark, away: Math.hypot(mark.x - event.offsetX, mark.y - event.offsetY) }))
                             .sort((a, b) => a.away - b.away)[0];
    if (near && near.away < 24) showModel(near.m);
  });
  const canvas = byId("distribution");
  canvas.addEventListener("pointerdown", (event) => {
    if (!distribution.column) return;
    canvas.setPointerCapture(event.pointerId);
    distribution.drag = { from: event.offsetX, to: event.offsetX };
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!distribution.drag) return;
    distribution.drag.to = event.offsetX;
    drawDistribution();
  });
  canvas.addEventListener("pointerup", (event) => {
    if (!distribution.drag) return;
    const { from, to } = distribution.drag, box = distributionBox();
    const step = (box.right - box.left) / distribution.column.counts.length;
    distribution.drag = null;
    // A click takes the bar under it.
    const bar = Math.floor((from - box.left) / step);
    const isClick = Math.abs(to - from) < 3;
    brushed(isClick ? box.left + bar * step : Math.min(from, to), isClick ? box.left + (bar + 1) * step : Math.max(from, to), modeOf(event));
  });
}
