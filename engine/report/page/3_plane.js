"use strict";
// The plane: samples as marks, the map of differences, zoom, lasso.

const plane = { zoom: 1, x: 0.5, y: 0.5, base: null, lasso: null, pan: null };

function planeIds() {
  const id = `m${state.model + 1}.${byId("layout").value}`;
  return { places: values(id, Uint16Array), cells: values(`${id}.cells`, Uint32Array), facts: cachedJson(`${id}.facts`) };
}

function planeScale() {
  const canvas = byId("plane"), width = canvas.clientWidth, height = Number(canvas.getAttribute("data-height") ?? canvas.height);
  const side = Math.min(width, height) * plane.zoom;
  return { x: (v) => width / 2 + (v / 65535 - plane.x) * side, y: (v) => height / 2 - (v / 65535 - plane.y) * side, side, width, height };
}

/** Marks differ by shape as well as by colour. */
const SHAPES = { good: "●", copy: "■", crowded: "▲", unrealistic: "✕", invented: "◆", covered: "·", missed: "○", thin: "◌" };

function drawMark(context, word, x, y, size) {
  switch (word) {
  case "copy": context.fillRect(x - size, y - size, 2 * size, 2 * size); return;
  case "crowded": context.beginPath(); context.moveTo(x, y - size - 1); context.lineTo(x + size + 1, y + size); context.lineTo(x - size - 1, y + size); context.fill(); return;
  case "invented": context.beginPath(); context.moveTo(x, y - size - 1); context.lineTo(x + size + 1, y); context.lineTo(x, y + size + 1); context.lineTo(x - size - 1, y); context.fill(); return;
  case "unrealistic": context.beginPath(); context.moveTo(x - size, y - size); context.lineTo(x + size, y + size); context.moveTo(x + size, y - size); context.lineTo(x - size, y + size); context.stroke(); return;
  case "missed": case "thin": context.beginPath(); context.arc(x, y, size, 0, 7); context.stroke(); return;
  default: context.fillRect(x - 1.2, y - 1.2, 2.4, 2.4);
  }
}

/** Where the model has more and where it has fewer samples than the real set, from -1 to 1, by cell. */
function differenceOf(cells, n) {
  const smooth = (from) => {
    const to = new Float64Array(n * n);
    let total = 0;
    for (let y = 0; y < n; ++y)
      for (let x = 0; x < n; ++x)
        for (let v = Math.max(0, y - 1); v <= Math.min(n - 1, y + 1); ++v)
          for (let u = Math.max(0, x - 1); u <= Math.min(n - 1, x + 1); ++u) to[y * n + x] += cells[from + v * n + u] * (u === x ? 2 : 1) * (v === y ? 2 : 1);
    for (let i = 0; i < n * n; ++i) total += cells[from + i];
    return to.map((count) => count / 16 / Math.max(1, total));
  };
  const real = smooth(0), synthetic = smooth(n * n);
  const floor = 0.3 / (n * n);
  return real.map((r, i) => (synthetic[i] - r) / (synthetic[i] + r + floor));
}

function mixed(from, to, part) {
  const rgb = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
  const a = rgb(from), b = rgb(to);
  return `rgb(${a.map((v, i) => Math.round(v + part * (b[i] - v))).join(",")})`;
}

function drawPlane() {
  const canvas = byId("plane"), { context, width, height } = prepared(canvas);
  const { places, cells, facts } = planeIds();
  if (!canvas.width) return; // not laid out yet
  if (!places) {
    byId("planeNote").textContent = "";
    text(context, "No plane: the embeddings were not in memory when this page was written.", 12, 24, "left", "muted");
    text(context, "Write it from the files of embeddings, or from an audit file made with --pack.", 12, 42, "left", "muted");
    return;
  }
  const scale = planeScale(), by = byId("colorBy").value, realCount = setOf("real").count;
  if (by === "difference") {
    const n = facts.cells, difference = differenceOf(cells, n), size = scale.side / n;
    for (let cell = 0; cell < n * n; ++cell) {
      const t = difference[cell];
      if (!cells[cell] && !cells[n * n + cell] && Math.abs(t) < 0.05) continue;
      context.fillStyle = mixed(color("middle"), color(t < 0 ? "less" : "more"), Math.min(1, Math.abs(t)));
      const x = cell % n, y = Math.floor(cell / n);
      context.fillRect(scale.x(x / n * 65535), scale.y((y + 1) / n * 65535), size + 0.6, size + 0.6);
    }
  }
  const marks = [];
  for (const side of ["real", "synthetic"]) {
    if (!byId(side === "real" ? "showReal" : "showSynthetic").checked) continue;
    const set = setOf(side), shown = state.shown[side], offset = side === "real" ? 0 : realCount;
    const verdicts = columnValues(side, verdictColumn(side)), words = columnNamed(side, verdictColumn(side))?.words ?? [];
    let last = "";
    for (let at = 0; at < set.count; ++at) {
      const x = scale.x(places[2 * (offset + at)]), y = scale.y(places[2 * (offset + at) + 1]);
      if (x < -5 || y < -5 || x > width + 5 || y > height + 5) continue;
      const word = by === "verdict" && verdicts ? words[verdicts[at]] ?? "" : "";
      if (set.selected[at]) { marks.push([x, y]); continue; }
      const shade = !shown[at] ? "faded" : word && word !== "good" ? word : side;
      if (shade !== last) context.fillStyle = context.strokeStyle = color(shade);
      last = shade;
      drawMark(context, shown[at] ? word : "", x, y, 3);
    }
  }
  context.lineWidth = 1;
  // Rectangles, each colour at once: thousands of circles would take longer than a lasso may.
  context.fillStyle = color("text");
  for (const [x, y] of marks) context.fillRect(x - 3.5, y - 3.5, 7, 7);
  context.fillStyle = color("selected");
  for (const [x, y] of marks) context.fillRect(x - 2.5, y - 2.5, 5, 5);
  if (state.current) {
    const offset = state.current.side === "real" ? 0 : realCount, at = 2 * (offset + state.current.at);
    context.strokeStyle = color("text"); context.lineWidth = 2;
    context.beginPath(); context.arc(scale.x(places[at]), scale.y(places[at + 1]), 8, 0, 7); context.stroke();
    context.lineWidth = 1;
  }
  const notes = [];
  if (byId("layout").value === "components")
    notes.push(`The axes hold ${numberText(100 * (facts.explained[0] + facts.explained[1]))} % of the real set's variance.`);
  if (facts.kept !== null) notes.push(`This view keeps ${numberText(100 * facts.kept)} % of each sample's ${facts.neighbors} nearest neighbours.`);
  notes.push("Drag a lasso to select; the wheel zooms, Alt and drag moves.");
  // Only where something changes: else the whole page is laid out again with every selection.
  const words = notes.join(" "), legend = by + color("text");
  if (byId("planeNote").textContent !== words) byId("planeNote").textContent = words;
  if (plane.legend !== legend) drawLegend(by);
  plane.legend = legend;
}

function drawLegend(by) {
  const entries = by === "difference" ? [["■", "more", "more synthetic than real"], ["■", "less", "more real than synthetic"], ["●", "real", "real"], ["●", "synthetic", "synthetic"]]
    : by === "set" ? [["●", "real", "real"], ["●", "synthetic", "synthetic"]]
    : [["●", "real", "real"], ["●", "synthetic", "synthetic, good"], ...["copy", "crowded", "unrealistic", "invented", "missed", "thin"].map((word) => [SHAPES[word], word, word])];
  byId("legend").replaceChildren(...entries.map(([shape, shade, words]) => {
    const entry = make("span", { "data-shape": shape }, words);
    entry.style.setProperty("--shade", color(shade));
    return entry;
  }));
}

/** Whether a point is inside a polygon: crossings of a ray. */
function inside(polygon, x, y) {
  let isInside = false;
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
    const [xi, yi] = polygon[i], [xj, yj] = polygon[j];
    if (yi > y !== yj > y && x < (xj - xi) * (y - yi) / (yj - yi) + xi) isInside = !isInside;
  }
  return isInside;
}

function* visiblePlaces() {
  const { places } = planeIds(), scale = planeScale();
  if (!places) return;
  for (const side of ["real", "synthetic"]) {
    if (!byId(side === "real" ? "showReal" : "showSynthetic").checked) continue;
    const offset = side === "real" ? 0 : setOf("real").count;
    for (let at = 0; at < setOf(side).count; ++at)
      if (state.shown[side][at]) yield [side, at, scale.x(places[2 * (offset + at)]), scale.y(places[2 * (offset + at) + 1])];
  }
}

function lassoed(polygon, mode) {
  const began = performance.now(), found = { real: [], synthetic: [] };
  for (const [side, at, x, y] of visiblePlaces()) if (inside(polygon, x, y)) found[side].push(at);
  state.brush = state.rules = null;
  select(found, mode);
  document.documentElement.dataset.lassoMs = (performance.now() - began).toFixed(1); // measured by the tests
}

function clickedPlane(event) {
  let nearest = null, least = 10;
  for (const [side, at, x, y] of visiblePlaces()) {
    const away = Math.hypot(x - event.offsetX, y - event.offsetY);
    if (away < least) { least = away; nearest = { side, at }; }
  }
  if (!nearest) { if (modeOf(event) === "replace") select({}); return; }
  showSample(nearest.side, nearest.at);
  select({ [nearest.side]: [nearest.at] }, modeOf(event));
}

function zoomBy(factor, at) {
  const scale = planeScale(), x = at ? at.offsetX : scale.width / 2, y = at ? at.offsetY : scale.height / 2;
  const zoom = Math.min(60, Math.max(0.8, plane.zoom * factor));
  const move = (1 / plane.zoom - 1 / zoom) / Math.min(scale.width, scale.height);
  plane.x += (x - scale.width / 2) * move;
  plane.y -= (y - scale.height / 2) * move;
  plane.zoom = zoom;
  drawPlane();
}
function zoomOut() { Object.assign(plane, { zoom: 1, x: 0.5, y: 0.5 }); drawPlane(); }

function wirePlane() {
  const canvas = byId("plane");
  canvas.addEventListener("wheel", (event) => { event.preventDefault(); zoomBy(event.deltaY < 0 ? 1.25 : 0.8, event); }, { passive: false });
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    if (event.altKey || event.button === 1) plane.pan = { x: event.offsetX, y: event.offsetY };
    else {
      plane.lasso = [[event.offsetX, event.offsetY]];
      plane.base ??= document.createElement("canvas");
      plane.base.width = canvas.width;
      plane.base.height = canvas.height;
      plane.base.getContext("2d").drawImage(canvas, 0, 0);
    }
  });
  canvas.addEventListener("pointermove", (event) => {
    if (plane.pan) {
      const side = planeScale().side;
      plane.x -= (event.offsetX - plane.pan.x) / side;
      plane.y += (event.offsetY - plane.pan.y) / side;
      plane.pan = { x: event.offsetX, y: event.offsetY };
      drawPlane();
    } else if (plane.lasso && plane.base) {
      plane.lasso.push([event.offsetX, event.offsetY]);
      const context = canvas.getContext("2d");
      const { clientWidth, clientHeight } = canvas;
      context.clearRect(0, 0, clientWidth, clientHeight);
      context.drawImage(plane.base, 0, 0, clientWidth, clientHeight);
      context.strokeStyle = color("focus");
      context.lineWidth = 1.5;
      context.beginPath();
      for (const [x, y] of plane.lasso) context.lineTo(x, y);
      context.closePath();
      context.stroke();
    }
  });
  canvas.addEventListener("pointerup", (event) => {
    const polygon = plane.lasso;
    plane.lasso = plane.pan = null;
    if (polygon && polygon.length > 4) lassoed(polygon, modeOf(event));
    else if (polygon) clickedPlane(event);
  });
  for (const id of ["layout", "colorBy", "showReal", "showSynthetic"]) byId(id).addEventListener("change", drawPlane);
  byId("zoomOut").addEventListener("click", zoomOut);
}
