"use strict";
// The views put together: model, filter, keys, what is saved, and messages to a notebook.

function toast(words) {
  byId("toast").textContent = words;
  byId("toast").classList.add("on");
  clearTimeout(toast.timer);
  toast.timer = setTimeout(() => byId("toast").classList.remove("on"), 2500);
}

function save(name, words, type) {
  const link = make("a", { href: URL.createObjectURL(new Blob([words], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const chosenSide = () => (selectedAt("synthetic").length ? "synthetic" : "real");
const chosenIds = () => selectedIds(chosenSide());

/** Rules that keep what the filter and the brush show; those of a finding where it was clicked last. */
function rulesText() {
  if (state.rules) return JSON.stringify(state.rules, null, 1);
  const rules = [], { brush, filter } = state;
  if (brush && brush.words.length)
    // Rules name one word each: of several the others are rejected.
    brush.words.forEach((word, i) => { if (i < brush.low || i > brush.high) rules.push({ column: brush.column, bound: "is", word, effect: "reject" }); });
  else if (brush && Number.isFinite(brush.low) && Number.isFinite(brush.high)) rules.push({ column: brush.column, bound: "between", value: brush.low, upper: brush.high });
  else if (brush && Number.isFinite(brush.low)) rules.push({ column: brush.column, bound: "at_least", value: brush.low });
  else if (brush && Number.isFinite(brush.high)) rules.push({ column: brush.column, bound: "at_most", value: brush.high });
  if (filter.verdict && columnNamed("synthetic", "verdict")?.words.includes(filter.verdict)) rules.push({ column: "verdict", bound: "is", word: filter.verdict });
  if (filter.name && filter.name.length > 1) rules.push({ column: "class", bound: "is", word: filter.name.slice(1) });
  if (!rules.length) rules.push({ column: "verdict", bound: "is", word: "good" });
  return JSON.stringify({ match: "all", rules }, null, 1);
}

function selectionChanged() {
  const synthetic = selectedAt("synthetic").length, real = selectedAt("real").length;
  byId("selectedCount").textContent = real + synthetic ? [synthetic ? `${synthetic.toLocaleString("en-US")} synthetic` : "", real ? `${real.toLocaleString("en-US")} real` : ""].filter(Boolean).join(", ") + " selected" : "Nothing selected";
  for (const id of ["clear", "copy", "saveIds"]) byId(id).disabled = !(real + synthetic);
  drawPlane();
  drawDistribution();
  markTiles();
  if (window.parent !== window)
    window.parent.postMessage({ assay: "selection", model: model().name, rows: selectedAt("synthetic").map((at) => setOf("synthetic").row[at]), ids: selectedIds("synthetic"), realIds: selectedIds("real") }, "*");
}

function filterChanged() {
  state.filter = { name: byId("classFilter").value, verdict: byId("verdictFilter").value, text: byId("find").value };
  applyFilter();
  const count = (side) => sum(state.shown[side]);
  const { name, verdict, text: sought } = state.filter;
  byId("shown").textContent = name || verdict || sought ? `Showing ${count("synthetic").toLocaleString("en-US")} synthetic, ${count("real").toLocaleString("en-US")} real` : "";
  drawPlane();
  drawDistribution();
  drawRanking();
}

const sum = (numbers) => numbers.reduce((all, one) => all + one, 0);
const held = sum(sets.map((set) => set.count)), isComplete = held === sum(audit.rows);

/** Which samples the page holds. */
function heldText() {
  const total = sum(audit.rows), others = total - held + audit.random;
  const number = (count) => numberText(count, COUNT);
  if (isComplete) return `This page holds all ${number(total)} samples.`;
  return `This page holds ${number(held)} of ${number(total)} samples: ${number(held - audit.random)} examples and flagged ones, and ${number(audit.random)} of the `
    + `${number(others)} others (${Number((100 * audit.random / others).toPrecision(2))} %), drawn at random with seed ${audit.seed}. Figures are of all samples.`;
}

function fillColumns() {
  const option = (column) => make("option", { value: `${column.side}/${column.id}` }, titleOf(column));
  for (const id of ["column", "order"]) {
    const before = byId(id).value, groups = ["synthetic", "real"].map((side) => make("optgroup", { label: `${side} samples` }, ...columnsOf(side).map(option)));
    byId(id).replaceChildren(...groups);
    const wanted = [before, ...(id === "order" ? ["synthetic/evidence", "synthetic/p_any", "synthetic/pce"] : ["synthetic/fidelity"])];
    const found = wanted.find((value) => [...byId(id).options].some((o) => o.value === value));
    if (found) byId(id).value = found;
  }
  columnChanged();
}

function columnChanged() {
  const [side, id] = byId("column").value.split("/");
  distribution.column = columnNamed(side, id) ?? null;
  byId("columnNote").textContent = distribution.column ? `${distribution.column.definition}${isComplete ? "" : " Grey: all samples; colour: those on this page."}` : "";
  drawDistribution();
}

function fillFilters() {
  const names = [...new Set([...setOf("synthetic").classes, ...setOf("real").classes])].filter(Boolean);
  const words = [...(columnNamed("synthetic", "verdict")?.words ?? []), ...(columnNamed("real", "coverage_verdict")?.words ?? [])];
  byId("classFilter").replaceChildren(make("option", { value: "" }, "all"), ...names.map((name) => make("option", { value: `=${name}` }, name)));
  byId("verdictFilter").replaceChildren(make("option", { value: "" }, "all"), ...words.map((word) => make("option", { value: word }, word)));
  byId("classFilter").disabled = !names.length;
}

function showModel(m) {
  state.model = m;
  state.current = state.brush = state.rules = null;
  byId("model").value = m;
  state.filter = { name: "", verdict: "", text: "" };
  byId("find").value = "";
  fillFilters();
  applyFilter();
  byId("shown").textContent = "";
  const first = model().findings.flatMap((f) => f.examples.filter((e) => e.position.length).map((e) => ({ side: f.side, at: e.position[0] })))[0];
  state.current = first ?? null;
  drawModels();
  drawScatter();
  drawFindings();
  fillColumns();
  drawRanking();
  drawSample();
  selectionChanged();
  showTab(showTab.current ?? "scores");
}

function setTheme(isDark) {
  document.documentElement.classList.toggle("dark", isDark);
  shades.clear();
  if (!state.shown.real) return;
  drawModels();
  drawScatter();
  drawSample();
  drawPlane();
  drawDistribution();
}

function clearAll() {
  if (state.filter.name || state.filter.verdict || state.filter.text) {
    for (const id of ["classFilter", "verdictFilter", "find"]) byId(id).value = "";
    filterChanged();
  }
  state.brush = state.rules = null;
  select({});
}

const KEYS = {
  Escape: clearAll,
  ArrowRight: () => walkRanking(1), ArrowDown: () => walkRanking(1), ArrowLeft: () => walkRanking(-1), ArrowUp: () => walkRanking(-1),
  Enter: () => { if (state.current) select({ [state.current.side]: [state.current.at] }, "toggle"); },
  0: zoomOut, "+": () => zoomBy(1.25), "-": () => zoomBy(0.8),
  "/": () => byId("find").focus(),
  m: () => showModel((state.model + 1) % audit.models.length),
  t: () => setTheme(!document.documentElement.classList.contains("dark")),
  "?": () => toast("Arrows walk the ranking, Enter selects, Escape clears, + − 0 zoom, m next model, / find, t theme"),
};

function wire() {
  wireCharts();
  wirePlane();
  byId("model").replaceChildren(...audit.models.map((one, m) => make("option", { value: m }, `${m + 1} ${one.name}`)));
  byId("model").addEventListener("change", () => showModel(Number(byId("model").value)));
  for (const id of ["classFilter", "verdictFilter"]) byId(id).addEventListener("change", filterChanged);
  byId("find").addEventListener("input", filterChanged);
  byId("column").addEventListener("change", columnChanged);
  for (const id of ["order", "reverse", "as"]) byId(id).addEventListener("change", drawRanking);
  byId("ranking").addEventListener("scroll", () => {
    const panel = byId("ranking");
    if (ranking.made < ranking.rows.length && panel.scrollTop + panel.clientHeight > panel.scrollHeight - 200) moreOfRanking();
  });
  byId("clear").addEventListener("click", clearAll);
  byId("copy").addEventListener("click", async () => {
    const words = chosenIds().join("\n");
    try { await navigator.clipboard.writeText(words); toast(`Copied: ${counted(chosenIds().length, "id", "ids")} of ${chosenSide()} samples`); } catch { save("selected.txt", words, "text/plain"); }
  });
  byId("saveIds").addEventListener("click", () => save("selected.txt", `${chosenIds().join("\n")}\n`, "text/plain"));
  byId("saveRules").addEventListener("click", () => { save("rules.json", rulesText(), "application/json"); toast(state.rules ? "Rules of the finding saved" : "Rules saved that keep what filter and brush show"); });
  byId("theme").addEventListener("click", KEYS.t);
  for (const button of document.querySelectorAll("[data-tab]")) button.addEventListener("click", () => showTab(button.dataset.tab));
  window.addEventListener("resize", () => { drawScatter(); drawPlane(); drawDistribution(); });
  document.addEventListener("keydown", (event) => {
    const isTyping = /^(INPUT|SELECT)$/.test(event.target.tagName) && event.target.type !== "checkbox";
    const presses = event.key === "Enter" && event.target.tagName === "BUTTON";
    if (presses || event.ctrlKey || event.metaKey || event.altKey || (isTyping && event.key !== "Escape")) return;
    const act = KEYS[event.key];
    if (act) { act(); event.preventDefault(); }
  });
}

byId("title").textContent = audit.title;
byId("sets").textContent = `${counted(audit.rows[0], "real sample", "real samples")} of ${counted(audit.dimensions, "dimension", "dimensions")}; k = ${audit.k}. Made by Assay ${audit.version}.`;
byId("holds").textContent = `${heldText()} Press ? for the keys.`;
setTheme(window.matchMedia("(prefers-color-scheme: dark)").matches);
wire();
if (audit.models.length && !hasPictures("synthetic")) byId("as").value = "rows";
if (byId("m1.components") && !byId("m1.neighbors")) byId("layout").options[0].remove();
if (audit.models.length) showModel(audit.start);
document.documentElement.dataset.readyMs = performance.now().toFixed(0); // measured by the tests
