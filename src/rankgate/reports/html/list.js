// The list of all queries: filters, search, order. The filters dim the charts as well.

const PAGE = 25;
const MORE = 200;
const COLUMNS = [
  { key: "query", name: "query" },
  { key: "state", name: "state" },
  { key: "before", name: "baseline", numeric: true },
  { key: "now", name: "now", numeric: true },
  { key: "change", name: "change", numeric: true },
];

const controls = Object.fromEntries(["measure", "search", "state", "slice", "changed", "clear", "more", "shown"].map((id) => [id, byId(id)]));
// The order of the report: what it calls worst comes first.
const reportOrder = new Map([...new Set([...(data.worst || []), ...queries.keys()])].map((position, order) => [position, order]));
const view = { sort: "", down: false, picked: null, room: PAGE, rows: [] };

function measureNow() {
  return Number(controls.measure.value);
}

function passes(query) {
  const wanted = controls.search.value.trim().toLocaleLowerCase();
  const trend = valueOf(query, measureNow()).trend;
  return (
    (!view.picked || view.picked.has(query)) &&
    (!wanted || query.id.toLocaleLowerCase().includes(wanted) || query.text.toLocaleLowerCase().includes(wanted)) &&
    (!controls.state.value || query.state === controls.state.value) &&
    (controls.slice.value === "" || query.slices.includes(Number(controls.slice.value))) &&
    (!controls.changed.checked || trend === "better" || trend === "worse")
  );
}

function sortKey(query) {
  const measure = measureNow();
  const value = valueOf(query, measure);
  const last = Infinity;
  return {
    "": () => reportOrder.get(query.position),
    query: () => query.id,
    state: () => query.state,
    before: () => number(value.before) ?? last,
    now: () => number(value.now) ?? last,
    change: () => gain(query, measure) ?? last,
  }[view.sort]();
}

function inOrder(rows) {
  const keyed = rows.map((query) => ({ query, key: sortKey(query) }));
  const turned = view.down ? -1 : 1;
  keyed.sort((one, other) => {
    // What has no value stays at the end, whichever way the list runs.
    if ((one.key === Infinity) !== (other.key === Infinity)) return one.key === Infinity ? 1 : -1;
    return one.key < other.key ? -turned : one.key > other.key ? turned : one.query.position - other.query.position;
  });
  return keyed.map(({ query }) => query);
}

function stateBadge(state) {
  const trend = { lost: "worse", worse: "worse", better: "better" }[state] || "";
  return make("span", { class: `state ${trend}`.trim() }, SIGNS[trend] ? make("span", { "aria-hidden": "true" }, `${SIGNS[trend]} `) : null, state);
}

function listRow(query) {
  const { before, now, change, trend } = valueOf(query, measureNow());
  return make(
    "tr",
    {},
    make("th", { scope: "row" }, make("a", { href: fragment(query), class: "query-link" }, code(query.id)), make("span", { class: "query-text" }, query.text)),
    make("td", {}, stateBadge(query.state)),
    data.hasBaseline ? make("td", { class: "number" }, before) : null,
    make("td", { class: "number" }, now),
    data.hasBaseline ? make("td", { class: "number" }, changeMark(change, trend)) : null,
  );
}

function shownColumns() {
  return COLUMNS.filter(({ key }) => data.hasBaseline || !["before", "change"].includes(key));
}

function drawHead() {
  const cells = shownColumns().map(({ key, name, numeric }) => {
    const active = view.sort === key;
    const arrow = make("span", { "aria-hidden": "true" }, active ? (view.down ? " \u2193" : " \u2191") : " \u2195");
    const button = make("button", { type: "button", class: "sort", "data-sort": key, click: () => sortBy(key) }, name, arrow);
    return make("th", { scope: "col", class: numeric ? "number" : null, "aria-sort": active ? (view.down ? "descending" : "ascending") : null }, button);
  });
  byId("list").tHead.replaceChildren(make("tr", {}, cells));
}

// First up, then down, then back to the order of the report.
function sortBy(key) {
  if (view.sort !== key) Object.assign(view, { sort: key, down: false });
  else if (!view.down) view.down = true;
  else Object.assign(view, { sort: "", down: false });
  drawHead();
  drawRows();
  byId("list").querySelector(`[data-sort="${key}"]`).focus();
}

function drawRows() {
  const shown = view.rows.length && inOrder(view.rows).slice(0, view.room);
  const empty = make("tr", {}, make("td", { colspan: shownColumns().length }, "No query passes these filters."));
  byId("list").tBodies[0].replaceChildren(...(shown ? shown.map(listRow) : [empty]));
  controls.more.hidden = view.rows.length <= view.room;
  controls.more.textContent = `Show ${Math.min(MORE, view.rows.length - view.room)} more`;
}

function filterList(charts) {
  view.rows = queries.filter(passes);
  view.room = PAGE;
  const picked = view.picked ? `, out of the ${view.picked.size} chosen in the chart` : "";
  controls.shown.textContent = `${view.rows.length} of ${counted(queries.length, "query", "queries")}${picked}`;
  drawRows();
  const passing = new Set(view.rows);
  charts.forEach((marks) => marks.dim(passing));
}

function option(value, text) {
  return make("option", { value }, text);
}

function fillControls() {
  const found = new Map();
  queries.forEach(({ state }) => found.set(state, (found.get(state) || 0) + 1));
  controls.measure.replaceChildren(...measures.map(({ label }, position) => option(position, label)));
  controls.measure.value = String(data.measure);
  controls.state.replaceChildren(option("", "any"), ...[...found].sort().map(([state, many]) => option(state, `${state} (${many})`)));
  controls.slice.replaceChildren(option("", "any"), ...(data.slices || []).map((name, position) => option(position, name)));
}
