// One query from close: its values, both rankings side by side, what moved and why. It has an address: #query=ID.

const FIRST_PAGE = 10;
const dialog = byId("detail");
let opened = null;
let cameFrom = null;

function queryOfAddress() {
  const found = /^#query=(.*)$/s.exec(location.hash);
  if (!found) return null;
  try {
    const id = decodeURIComponent(found[1]);
    return queries.find((query) => query.id === id) || null;
  } catch {
    return null;
  }
}

function followAddress() {
  const query = queryOfAddress();
  if (query) openQuery(query);
  else if (dialog.open) dialog.close();
}

function openQuery(query) {
  if (!dialog.open) {
    cameFrom = document.activeElement;
    dialog.showModal();
  }
  opened = query;
  if (queryOfAddress() !== query) history.pushState(null, "", fragment(query));
  showQuery(query);
}

function closed() {
  opened = null;
  dialog.replaceChildren();
  if (queryOfAddress()) history.replaceState(null, "", "#queries");
  const target = cameFrom && cameFrom !== document.body && cameFrom.isConnected ? cameFrom : byId("queries-title");
  target.focus();
}

// The list as it is filtered and sorted now is what one pages through.
function neighbour(step) {
  const found = inOrder(view.rows);
  const position = found.indexOf(opened);
  return position < 0 ? null : found[position + step] || null;
}

function placeInList() {
  const position = inOrder(view.rows).indexOf(opened);
  return position < 0 ? "" : `${position + 1} of ${view.rows.length}`;
}

function goTo(step) {
  const next = neighbour(step);
  if (!next) return;
  history.replaceState(null, "", fragment(next));
  openQuery(next);
}

function showQuery(query) {
  const go = (step, name, arrow) =>
    make("button", { type: "button", "aria-label": `${name} query`, disabled: !neighbour(step), click: () => goTo(step) }, arrow);
  const title = make("h2", { id: "detail-title", tabindex: "-1" }, code(query.id));
  dialog.replaceChildren(
    make(
      "div",
      { class: "detail" },
      make("div", { class: "detail-bar" }, make("span", { class: "count" }, placeInList()), go(-1, "Previous", "\u2190"), go(1, "Next", "\u2192"), make("button", { type: "button", click: () => dialog.close() }, "Close")),
      title,
      make("p", { class: "query-text" }, query.text),
      make("p", { class: "place" }, stateBadge(query.state), query.slices.map((slice) => [" ", make("span", { class: "tag" }, data.slices[slice])]), query.place ? [" ", code(query.place)] : null),
      query.note ? make("p", {}, query.note) : null,
      query.reasons.map((reason) => make("p", {}, reason)),
      rulesOf(query),
      valuesOf(query),
      rankingsOf(query),
      movesOf(query),
      missingOf(query),
    ),
  );
  dialog.scrollTop = 0;
  title.focus();
  drawLines(query);
}

function rulesOf(query) {
  if (!query.rules.length) return null;
  const items = query.rules.map(([status, word, message, place]) =>
    make("li", { class: status }, make("span", { class: `status ${status}` }, word), make("div", {}, make("p", {}, message), place ? make("p", { class: "place" }, code(place)) : null)),
  );
  return make("ul", { class: "findings" }, items);
}

function heads(names) {
  return make("thead", {}, make("tr", {}, names.map(([name, kind]) => make("th", { scope: "col", class: kind || null }, name))));
}

function boxed(label, head, rows, kind) {
  const inner = make("table", { class: kind || null }, make("caption", { class: "unseen" }, label), head, make("tbody", {}, rows));
  return make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, inner);
}

function valuesOf(query) {
  if (!query.values.length) return null;
  const rows = query.values.map(([before, now, change, trend], measure) =>
    make("tr", {}, make("th", { scope: "row", title: measures[measure].name }, measures[measure].label), make("td", { class: "number" }, before), make("td", { class: "number" }, now), make("td", { class: "number" }, changeMark(change, trend))),
  );
  return boxed("Values of this query", heads([["measure"], ["baseline", "number"], ["now", "number"], ["change", "number"]]), rows);
}

function gradeChip(grade) {
  if (grade === null) return make("span", { class: "grade hole" }, "unjudged");
  return make("span", { class: `grade g${Math.min(Math.max(grade, 0), 3)}` }, make("span", { class: "unseen" }, "grade "), String(grade));
}

function nameOf([id, , title]) {
  return title ? [make("span", { class: "title" }, title), code(id)] : [code(id)];
}

// How a document moved, seen from the side it is on.
function movement(document, rank, other, now) {
  if (!other) return null;
  const elsewhere = other.indexOf(document) + 1;
  const mark = (kind, sign, words) => make("span", { class: `moved ${kind}` }, sign ? make("span", { "aria-hidden": "true" }, sign) : null, words);
  if (!elsewhere) return now ? mark("new", "+ ", "new") : mark("gone", "\u2715 ", "gone");
  const by = elsewhere - rank;
  if (!now) return by ? mark("", "", `now ${elsewhere}`) : null;
  if (!by) return mark("", "= ", "same");
  return by > 0 ? mark("up", "\u2191", [make("span", { class: "unseen" }, "up "), String(by)]) : mark("down", "\u2193", [make("span", { class: "unseen" }, "down "), String(-by)]);
}

function hit(query, ranking, other, rank, now) {
  if (!ranking || rank > ranking.length) return make("td", { class: "hit none" }, rank === 1 && ranking ? "nothing was returned" : "");
  const document = ranking[rank - 1];
  const row = query.documents[document];
  return make(
    "td",
    { class: `hit ${row[1] === null ? "hole" : ""}`.trim(), "data-document": document, pointerenter: () => light(document), pointerleave: () => light(null) },
    make("div", { class: "hit-head" }, gradeChip(row[1]), movement(document, rank, other, now)),
    make("div", { class: "hit-name" }, nameOf(row)),
  );
}

function light(document) {
  dialog.querySelectorAll("[data-document]").forEach((node) => node.classList.toggle("lit", document !== null && node.dataset.document === String(document)));
}

function rankingsOf(query) {
  const before = query.before || null;
  const now = query.now || null;
  const sides = data.hasBaseline || before;
  if (!query.carried) return make("p", {}, "This file has no room for the rankings of this query; the JSON report has them.");
  if (!before && !now) return make("p", {}, "There is no ranking to show.");
  const depth = Math.max((before || []).length, (now || []).length, 1);
  const shown = Math.min(depth, FIRST_PAGE);
  const rows = Array.from({ length: depth }, (_, position) =>
    make(
      "tr",
      { hidden: position >= shown },
      make("th", { scope: "row", class: "rank" }, String(position + 1)),
      sides ? hit(query, before, now, position + 1, false) : null,
      sides && position === 0 ? make("td", { class: "lines", rowspan: depth, "aria-hidden": "true" }) : null,
      hit(query, now, before, position + 1, true),
    ),
  );
  const head = heads([["rank", "rank"], ...(sides ? [[before ? "baseline" : "baseline: none"], ["", "lines"]] : []), [now ? "now" : "now: not measured"]]);
  head.querySelector("th.lines")?.setAttribute("aria-hidden", "true");
  const all = make("button", { type: "button", class: "all", click: () => showAll(query, rows, all) }, `Show all ${depth} ranks`);
  const dropped = query.duplicates ? make("p", { class: "key" }, `${counted(query.duplicates, "repeated id was", "repeated ids were")} dropped.`) : null;
  return make("div", {}, make("h3", {}, "Rankings"), boxed("Rankings side by side", head, rows, "rankings"), depth > shown ? all : null, dropped);
}

function showAll(query, rows, button) {
  rows.forEach((row) => row.removeAttribute("hidden"));
  rows[FIRST_PAGE].tabIndex = -1;
  rows[FIRST_PAGE].focus();
  button.remove();
  drawLines(query);
}

// Lines from where a document was to where it is; the same in words stands beside each document.
function drawLines(query) {
  const box = dialog.querySelector("td.lines");
  if (!box) return;
  box.replaceChildren();
  const { top, width, height } = box.getBoundingClientRect();
  if (!width) return;
  const rows = [...dialog.querySelectorAll(".rankings tbody tr:not([hidden])")];
  const middles = rows.map((row) => {
    const place = row.getBoundingClientRect();
    return round(place.top + place.height / 2 - top);
  });
  const lines = (query.before || []).slice(0, rows.length).flatMap((document, position) => {
    const now = (query.now || []).indexOf(document);
    const grade = query.documents[document][1];
    // Out of sight, a line ends at the last row; only what somebody judged useful is worth one.
    if (now < 0 || (now >= rows.length && !grade)) return [];
    const kind = now < position ? "up" : now > position ? "down" : "level";
    const end = now < rows.length ? middles[now] : round(height);
    const curve = `M0 ${middles[position]}C${width / 2} ${middles[position]} ${width / 2} ${end} ${width} ${end}`;
    return draw("path", { d: curve, class: `line ${kind} ${grade ? "" : "faint"}`.trim(), "data-document": document });
  });
  box.append(draw("svg", { width, height, viewBox: `0 0 ${width} ${height}`, focusable: "false" }, lines));
}

function movesOf(query) {
  if (!query.moves.length) return null;
  const rank = (ranking, document, otherwise) => {
    const position = (ranking || []).indexOf(document);
    return position < 0 ? otherwise : String(position + 1);
  };
  const rows = query.moves.map(([document, cost, reason]) => {
    const row = query.documents[document];
    const trend = cost.startsWith("-") ? "worse" : cost.startsWith("+") ? "better" : "";
    return make("tr", {}, make("th", { scope: "row" }, nameOf(row)), make("td", {}, gradeChip(row[1])), make("td", { class: "number" }, `${rank(query.before, document, "new")} \u2192 ${rank(query.now, document, "gone")}`), make("td", { class: "number" }, cost ? changeMark(cost, trend) : "-"), make("td", {}, reason || ""));
  });
  return make("div", {}, make("h3", {}, "What each move cost"), boxed("Moves and what they cost", heads([["document"], ["grade"], ["rank", "number"], [data.movesMeasure, "number"], ["cause"]]), rows));
}

function missingOf(query) {
  if (!query.missing.length) return null;
  return make("div", {}, make("h3", {}, "Relevant and in no ranking"), make("ul", { class: "plain" }, query.missing.map(([document, grade]) => make("li", {}, gradeChip(grade), " ", code(document)))));
}
