// Puts the parts together: what the server-side HTML cannot do starts here.

const readout = () => make("p", { class: "readout", "aria-hidden": "true" });
const scatter = new Marks(byId("scatter"), readout(), choose);
const bars = new Marks(byId("bars"), readout(), choose);
const charts = data.hasBaseline ? [scatter, bars] : [bars];

// One query opens; many become the list.
function choose(own) {
  if (own.length === 1) {
    openQuery(own[0]);
    return;
  }
  view.picked = new Set(own);
  filterList(charts);
  controls.shown.tabIndex = -1;
  controls.shown.focus();
  bringIntoView(controls.shown);
}

function drawCharts() {
  const measure = measureNow();
  const { label, higher } = measures[measure];
  const width = (id) => Math.max(Math.floor(byId(id).clientWidth), 260);
  if (data.hasBaseline) {
    byId("scatter-caption").textContent = `${label}: baseline against now`;
    byId("bars-caption").textContent = `${label}: change of each query${higher ? "" : " (less is better, so up is less)"}`;
    drawScatter(measure, width("scatter"), scatter);
    drawBars(measure, width("bars"), bars);
  } else {
    byId("bars-caption").textContent = `${label}: value of each query, the lowest first`;
    drawValues(measure, width("bars"), bars);
  }
  const passing = new Set(view.rows);
  charts.forEach((marks) => marks.dim(passing));
}

function clearFilters() {
  for (const name of ["search", "state", "slice"]) controls[name].value = "";
  controls.changed.checked = false;
  view.picked = null;
  filterList(charts);
}

// A cell of the heat map shows its queries in the list.
function openSlice(slice, measure) {
  clearFilters();
  controls.measure.value = measure;
  controls.slice.value = slice;
  controls.changed.checked = data.hasBaseline;
  filterList(charts);
  drawCharts();
  bringIntoView(byId("queries"));
  controls.slice.focus({ preventScroll: true });
}

function heatMap() {
  for (const cell of document.querySelectorAll("td.heat")) {
    const { slice, measure } = cell.dataset;
    const button = make("button", { type: "button", class: "cell", click: () => openSlice(slice, measure) });
    button.append(...cell.childNodes);
    cell.append(button);
  }
}

function copyButtons() {
  for (const command of document.querySelectorAll(".command")) {
    const text = command.querySelector("code");
    const button = make("button", { type: "button", "aria-live": "polite" }, "Copy");
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(text.textContent);
        button.textContent = "Copied";
      } catch {
        // Without the clipboard, the next best is a selection.
        getSelection().selectAllChildren(text);
        button.textContent = "Selected";
      }
    });
    command.append(button);
  }
}

function themes() {
  const names = { "": "auto", light: "light", dark: "dark" };
  const order = Object.keys(names);
  const button = byId("theme");
  button.hidden = false;
  button.addEventListener("click", () => {
    const root = document.documentElement;
    const next = order[(order.indexOf(root.dataset.theme || "") + 1) % order.length];
    root.dataset.theme = next;
    button.textContent = `Theme: ${names[next]}`;
  });
}

function start() {
  byId("explorer").hidden = false;
  byId("scatter-figure").hidden = !data.hasBaseline;
  controls.changed.closest("label").hidden = !data.hasBaseline;
  controls.slice.closest("label").hidden = !(data.slices || []).length;
  scatter.hint = "\u25b2 better, \u25bc worse, \u25cf same; a number is how many queries share a place. A click or Enter opens a query, or lists those of a mark.";
  bars.hint = "A click or Enter opens the query of a bar; arrow keys walk the bars.";
  fillControls();
  drawHead();
  heatMap();
  copyButtons();
  themes();
  filterList(charts);
  drawCharts();
  controls.measure.addEventListener("change", () => {
    filterList(charts);
    drawCharts();
  });
  for (const name of ["search", "state", "slice", "changed"]) controls[name].addEventListener("input", () => filterList(charts));
  controls.clear.addEventListener("click", clearFilters);
  controls.more.addEventListener("click", () => {
    view.room += MORE;
    drawRows();
  });
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  dialog.addEventListener("close", closed);
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  window.addEventListener("hashchange", followAddress);
  let waiting = 0;
  window.addEventListener("resize", () => {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(() => {
      drawCharts();
      if (opened) drawLines(opened);
    });
  });
  followAddress();
}

start();
