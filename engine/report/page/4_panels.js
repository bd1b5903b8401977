"use strict";
// Models, findings, ranking, the sample in hand, and the tables about a model.

function drawModels() {
  byId("models").replaceChildren(...audit.models.map((one, m) => {
    const dot = make("span", { className: "dot" });
    dot.style.background = color(`c${m % 6}`);
    return make("button", { className: `card${one.marked ? " marked" : ""}${m === state.model ? " current" : ""}`, onclick: () => showModel(m) },
      make("strong", {}, dot, `${m + 1} ${one.name}${one.marked ? " (!)" : ""}`), make("span", { className: "summary", title: one.summary }, one.summary),
      make("span", { className: "muted" }, one.headline));
  }));
}

/** A sample that can be clicked: with Shift, Ctrl and both as everywhere. */
function tile(side, at, below, longest = 44) {
  const isChosen = setOf(side).selected[at];
  const element = make("button", { className: `tile${isChosen ? " selected" : ""}`, title: nameOf(side, at), onclick: (event) => {
    showSample(side, at);
    state.rules = state.brush = null;
    select({ [side]: [at] }, modeOf(event));
  } }, picture(side, at, longest), below ? make("span", {}, below) : null);
  element.dataset.side = side;
  element.dataset.at = at;
  return element;
}

function drawFindings() {
  const all = model().findings;
  byId("findings").replaceChildren(...all.map((finding) => {
    const card = make("div", { className: `card${finding.marks ? " marked" : ""}` },
      make("strong", {}, finding.title + (finding.marks ? " (!)" : "")), make("p", {}, finding.sentence));
    const examples = finding.examples.filter((one) => one.position.length);
    if (examples.length)
      card.append(make("div", { className: "pictures" }, ...examples.flatMap((one) => [
        tile(finding.side, one.position[0], one.count, 36), ...(one.original ?? []).map((at) => tile("real", at, "original", 36))])));
    // Advice names panels of the window; the page has some of them as tabs.
    const advice = finding.advice.replace(/ ?The panel Features [^.]*\./, "").replace(/The panel (Holes|Classes|Private)/, "The tab $1");
    if (advice) card.append(make("p", { className: "muted" }, advice));
    if (finding.positions.length)
      card.append(make("button", { className: "selectFinding", onclick: (event) => {
        state.brush = null;
        state.rules = finding.rules ?? null;
        select({ [finding.side]: finding.positions }, modeOf(event));
        showSample(finding.side, examples.length ? examples[0].position[0] : finding.positions[0]);
      } }, finding.positions.length === finding.rows ? `Select ${counted(finding.rows, "sample", "samples")}`
        : `Select ${finding.positions.length.toLocaleString("en-US")} of ${counted(finding.rows, "sample", "samples")}`));
    return card;
  }), all.length ? "" : make("p", { className: "muted" }, "No findings: nothing that the audit knows speaks against this model."));
}

// The ranking.

const PAGE = 240; // tiles that are made at a time
const ranking = { rows: [], made: 0, column: null };

function orderRows() {
  const [side, id] = byId("order").value.split("/");
  const column = columnNamed(side, id);
  ranking.column = column ?? null;
  if (!column) { ranking.rows = []; return; }
  const all = columnValues(side, id), ties = column.thenBy && columnValues(side, column.thenBy);
  // Worst first, as in the window; of neutral columns the largest.
  const sign = (column.better === HIGHER ? 1 : -1) * (byId("reverse").checked ? -1 : 1);
  const tieSign = ties ? (columnNamed(side, column.thenBy)?.better === LOWER ? -1 : 1) * (byId("reverse").checked ? -1 : 1) : 0;
  const rows = [];
  for (let at = 0; at < all.length; ++at) if (state.shown[side][at] && !Number.isNaN(all[at])) rows.push(at);
  rows.sort((a, b) => sign * (all[a] - all[b]) || (ties ? tieSign * (ties[a] - ties[b]) || 0 : 0) || a - b);
  ranking.rows = rows;
}

function drawRanking() {
  orderRows();
  const panel = byId("ranking"), column = ranking.column, isRows = byId("as").value === "rows";
  panel.className = isRows ? "" : "pictures";
  ranking.made = 0;
  panel.replaceChildren();
  panel.scrollTop = 0;
  byId("rankNote").textContent = column ? `${counted(ranking.rows.length, "sample", "samples")}, ${byId("reverse").checked ? "reversed" : column.better !== NEUTRAL ? "worst first" : "largest first"}. ${column.definition}` : "";
  if (!ranking.rows.length) { panel.append(make("p", { className: "muted" }, "No sample passes the filter. Clear it with Escape.")); return; }
  if (isRows)
    panel.append(make("table", {}, make("thead", {}, make("tr", {}, make("th", {}, "Sample"), make("th", {}, "Verdict"), make("th", { className: "number" }, titleOf(column)), make("th", {}, "Why"))), make("tbody", {})));
  moreOfRanking();
}

function moreOfRanking() {
  const panel = byId("ranking"), column = ranking.column, side = column.side, all = columnValues(side, column.id);
  const isRows = byId("as").value === "rows", reasons = cachedJson(`m${state.model + 1}.reasons`)[side];
  for (const at of ranking.rows.slice(ranking.made, ranking.made + PAGE)) {
    const value = numberText(all[at], column.unit, column.words);
    if (!isRows) { panel.append(tile(side, at, value)); continue; }
    const row = make("tr", { onclick: (event) => { showSample(side, at); state.rules = state.brush = null; select({ [side]: [at] }, modeOf(event)); } },
      make("td", {}, nameOf(side, at)), make("td", {}, verdictOf(side, at)), make("td", { className: "number" }, value), make("td", {}, reasons[at] ?? ""));
    row.dataset.side = side;
    row.dataset.at = at;
    panel.querySelector("tbody").append(row);
  }
  ranking.made = Math.min(ranking.rows.length, ranking.made + PAGE);
  markTiles();
}

/** Marks what is selected and what is in hand, without making anything anew. */
function markTiles() {
  for (const element of document.querySelectorAll("[data-at]")) {
    const { side, at } = element.dataset;
    element.classList.toggle("selected", setOf(side).selected[at] === 1);
    element.classList.toggle("current", state.current !== null && state.current.side === side && state.current.at === Number(at));
  }
}

function walkRanking(step) {
  if (!ranking.column || !ranking.rows.length) return;
  const side = ranking.column.side;
  const place = state.current && state.current.side === side ? ranking.rows.indexOf(state.current.at) : -1;
  const next = Math.min(ranking.rows.length - 1, Math.max(0, place + (place < 0 ? 1 : step)));
  while (next >= ranking.made && ranking.made < ranking.rows.length) moreOfRanking();
  byId("ranking").focus({ preventScroll: true }); // so that Enter is not a click on the tile of before
  showSample(side, ranking.rows[next]);
  byId("ranking").querySelector(".current")?.scrollIntoView({ block: "nearest" });
}

// The sample in hand.

function nearestOf(side, at, other) {
  const name = side === "synthetic" ? (other === "real" ? "nearestReal" : "nearestSynthetic") : other === "real" ? "realToReal" : "realToSynthetic";
  const id = `m${state.model + 1}.${name}`;
  const rows = values(`${id}.row`, Uint32Array), distances = values(`${id}.distance`, Float32Array);
  const found = [];
  for (let i = 5 * at; i < 5 * at + 5; ++i)
    if (!Number.isNaN(distances[i])) found.push({ position: positionOf(other, rows[i]), row: rows[i], distance: distances[i] });
  return found;
}

function neighborRow(title, other, found) {
  const tiles = found.map((one) => one.position === undefined
    ? make("span", { className: "tile", title: "This sample is not on the page" }, make("span", { className: "name" }, `row ${one.row}`), numberText(one.distance))
    : tile(other, one.position, numberText(one.distance), 40));
  return [make("h3", { className: "muted" }, title), make("div", { className: "pictures" }, ...(tiles.length ? tiles : [make("span", { className: "muted" }, "not computed")]))];
}

function drawSample() {
  const panel = byId("sample");
  if (!state.current) {
    panel.replaceChildren(make("p", { className: "muted" }, "Click a sample, on the plane or in the ranking, to see it beside its nearest ones, and why it is good or bad."));
    return;
  }
  const { side, at } = state.current, other = side === "real" ? "synthetic" : "real", verdict = verdictOf(side, at);
  const nearest = nearestOf(side, at, other), first = nearest[0];
  const badge = make("span", { className: "badge" }, verdict || "no verdict");
  badge.style.color = color(verdict || "muted");
  const large = (which, place) => (hasPictures(which) ? picture(which, place, 128) : null); // names stand below
  const pair = make("div", { className: "pair" }, make("figure", {}, large(side, at), make("figcaption", {}, `${side}: ${nameOf(side, at)}`)));
  if (first)
    pair.append(make("figure", {}, first.position === undefined ? make("span", { className: "name" }, "not on this page") : large(other, first.position),
      make("figcaption", {}, `nearest ${other}: ${first.position === undefined ? `row ${first.row}` : nameOf(other, first.position)}, ${numberText(first.distance)} away`)));
  const reasons = cachedJson(`m${state.model + 1}.reasons`)[side];
  const contrasts = side === "synthetic" ? cachedJson(`m${state.model + 1}.contrasts`)?.[at] ?? [] : [];
  const scores = make("details", { open: drawSample.isOpen ?? false, ontoggle: (event) => { drawSample.isOpen = event.target.open; } }, make("summary", {}, "Scores"),
    make("table", {}, ...columnsOf(side).map((column) => make("tr", { title: column.definition }, make("td", {}, titleOf(column)),
      make("td", { className: "number" }, numberText(columnValues(side, column.id)[at], column.unit, column.words))))));
  panel.replaceChildren(make("p", {}, badge), pair, make("p", {}, reasons[at] ?? ""),
    ...(contrasts.length ? [table(["Feature", "Sample", "Nearest real"], contrasts.map((cells) => ({ cells })), 3)] : []),
    ...neighborRow("Nearest real, with distances", "real", nearestOf(side, at, "real")),
    ...neighborRow("Nearest synthetic, with distances", "synthetic", nearestOf(side, at, "synthetic")), scores);
}

function showSample(side, at) {
  state.current = { side, at };
  drawSample();
  drawPlane();
  markTiles();
}

// Tables about the model.

const minus = (words) => words.replace(/(^| )-(?=\d)/g, "$1−"); // as numberText() writes it
function table(heads, rows, numbersFrom = 1, numbersTo = heads.length) {
  const kind = (i) => (i >= numbersFrom && i < numbersTo ? { className: "number" } : {});
  return make("div", { className: "scroll" }, make("table", {}, make("tr", {}, ...heads.map((head, i) => make("th", kind(i), head))),
    ...rows.map((row) => { const tr = make("tr", { onclick: row.click ?? (() => {}) }, ...row.cells.map((cell, i) => make("td", kind(i), i < numbersFrom ? cell ?? "–" : minus(cell ?? "–")))); tr.title = row.title ?? ""; if (row.click) tr.style.cursor = "pointer"; return tr; })));
}
const metricRows = (ids) => model().metrics.filter((m) => ids.test(m.id))
  .map((m) => ({ cells: [m.title, m.text, m.interval, m.better], title: m.definition }));
const metricTable = (rows) => table(["Score", "Value", "95 % interval", "Better"], rows, 1, 3);
const note = (words) => make("p", { className: "muted" }, words);

const TABS = {
  scores: () => [metricTable(metricRows(/./))],
  holes: () => {
    const { missed, apart, holes } = model().holes;
    if (!holes.length) return [note(missed ? `${counted(missed, "real sample is", "real samples are")} missed, and no ${5} of them lie together.` : "No real sample is missed by more than chance.")];
    return [note(`${counted(missed, "real sample is", "real samples are")} missed; ${apart.toLocaleString("en-US")} of them lie in no hole.`),
      ...holes.map((hole) => make("div", { className: "card" },
        make("strong", {}, `${counted(hole.rows, "missed real sample", "missed real samples")}${hole.classes.length ? `: ${hole.classes.slice(0, 3).map(([name, count]) => `${count} of class ${name}`).join(", ")}` : ""}`),
        make("div", { className: "pictures" }, ...hole.examples.map((at) => tile("real", at))),
        make("button", { onclick: (event) => { state.rules = state.brush = null; select({ real: hole.positions }, modeOf(event)); } }, "Select")))];
  },
  classes: () => {
    const found = model().classes;
    if (!found) return [note("No classes: neither set has labels. Give them with --real-labels and --labels.")];
    return [note("Means by class. Click a class to select its samples."), table(["Class", "Real", "Synthetic", ...found.titles], found.rows.map((row) => ({
      cells: [row.name, row.real === null ? null : numberText(row.real, COUNT), row.synthetic === null ? null : numberText(row.synthetic, COUNT), ...row.means],
      click: (event) => {
        const chosen = { real: [], synthetic: [] };
        for (const side of ["real", "synthetic"]) for (let at = 0; at < setOf(side).count; ++at) if (setOf(side).code && classOf(side, at) === row.name) chosen[side].push(at);
        state.rules = state.brush = null;
        select(chosen, modeOf(event));
      } })))];
  },
  useful: () => {
    const { sentence, utility } = model().useful, metrics = metricRows(/utility/), byClass = utility?.by_class ?? [];
    const share = (value) => numberText(value, SHARE), names = utility?.confusion?.classes ?? [];
    const errors = utility?.errors ?? (utility?.confusion?.counts ?? []).flatMap((row, from) => row.map((count, to) => ({ actual: names[from], predicted: names[to], count })))
      .filter((cell) => cell.actual !== cell.predicted && cell.count).sort((a, b) => b.count - a.count);
    const parts = [note(sentence)];
    if (metrics.length) parts.push(metricTable(metrics));
    if (byClass.length) parts.push(table(["Class", "Tested", "Training", "Accuracy", "Trained on real"],
      byClass.map((one) => ({ cells: [one.label, numberText(one.tested, COUNT), numberText(one.trained_on, COUNT), share(one.accuracy), share(one.real_accuracy)] }))));
    if (errors.length) parts.push(make("p", {}, "Most often taken for another: ", errors.slice(0, 5).map((cell) => `${cell.actual} for ${cell.predicted} (${cell.count})`).join(", ")));
    return parts;
  },
  private: () => {
    const rows = metricRows(/^(membership|dcr|nndr)_/);
    return [note(model().private.sentence), ...(rows.length ? [metricTable(rows)] : [])];
  },
  words: () => [make("dl", {}, ...Object.entries(audit.words).flatMap(([word, meaning]) => [make("dt", {}, word), make("dd", {}, meaning)]))],
};

function showTab(name) {
  for (const button of document.querySelectorAll("[data-tab]")) button.setAttribute("aria-selected", String(button.dataset.tab === name));
  byId("more").replaceChildren(...TABS[name]());
  showTab.current = name;
}
