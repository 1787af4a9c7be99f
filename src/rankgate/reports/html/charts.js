// The two charts. Every mark is a button: a tab stop for the chart, arrow keys from mark to mark, Enter opens.

const MARGIN = { top: 14, right: 14, bottom: 40, left: 46 };
const INSET = 16;
const SMALLEST = 5;
const LARGEST = 20;
const WIDEST = 26;
const TALLEST = 420;

// Marks on a chart that one walks with the arrow keys; each has its queries and the sentence that says what it is.
class Marks {
  constructor(box, readout, choose) {
    this.box = box;
    this.hint = "";
    this.readout = readout;
    this.choose = choose;
    this.marks = [];
  }

  show(image, marks) {
    this.marks = marks;
    marks.forEach(({ node, label, queries: own }, position) => {
      node.setAttribute("role", "button");
      node.setAttribute("tabindex", position === 0 ? "0" : "-1");
      node.setAttribute("aria-label", label);
      node.addEventListener("click", () => this.choose(own));
      node.addEventListener("keydown", (event) => this.walk(event, position));
      node.addEventListener("focus", () => this.say(label));
      node.addEventListener("pointerenter", () => this.say(label));
    });
    image.addEventListener("pointerleave", () => this.say(""));
    this.box.replaceChildren(image, this.readout);
    this.say("");
  }

  say(label) {
    this.readout.textContent = label || this.hint;
  }

  walk(event, position) {
    const last = this.marks.length - 1;
    const steps = { ArrowRight: position + 1, ArrowDown: position + 1, ArrowLeft: position - 1, ArrowUp: position - 1, Home: 0, End: last };
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.choose(this.marks[position].queries);
    } else if (event.key in steps) {
      event.preventDefault();
      const next = this.marks[Math.min(Math.max(steps[event.key], 0), last)].node;
      this.marks.forEach(({ node }) => node.setAttribute("tabindex", node === next ? "0" : "-1"));
      next.focus();
    }
  }

  // Marks without a query that the filters let through step back.
  dim(passing) {
    this.marks.forEach(({ node, queries: own }) => node.classList.toggle("dim", !own.some((query) => passing.has(query))));
  }
}

function scale(low, high, start, end) {
  return (value) => start + ((value - low) / (high - low || 1)) * (end - start);
}

function round(value) {
  return Math.round(value * 100) / 100;
}

// About four numbers that people count in, from low to high.
function ticks(low, high) {
  const rough = (high - low) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((each) => each * power).find((each) => each >= rough * 0.999);
  const found = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high + step / 1000; tick += step) found.push(Number(tick.toPrecision(6)));
  return found;
}

// A shape for each way that a query can go, so that colour is not needed to tell them apart.
function shape(trend, x, y, size) {
  if (trend === "better") return draw("path", { class: "mark better", d: `M${round(x - size)} ${round(y + size * 0.8)}h${round(2 * size)}L${round(x)} ${round(y - size)}Z` });
  if (trend === "worse") return draw("path", { class: "mark worse", d: `M${round(x - size)} ${round(y - size * 0.8)}h${round(2 * size)}L${round(x)} ${round(y + size)}Z` });
  return draw("circle", { class: "mark same", cx: round(x), cy: round(y), r: round(size) });
}

function axisLabel(text, attributes) {
  return draw("text", { class: "axis-label", "text-anchor": "middle", ...attributes }, text);
}

// Baseline against candidate: queries at one and the same place are one mark, as large as they are many.
function drawScatter(measure, width, marks) {
  const height = Math.min(width, TALLEST);
  const compared = queries.filter((query) => wasCompared(query) && gain(query, measure) !== null);
  const places = new Map();
  for (const query of compared) {
    const { before, now } = valueOf(query, measure);
    const key = `${before} ${now}`;
    if (!places.has(key)) places.set(key, []);
    places.get(key).push(query);
  }
  const values = compared.flatMap((query) => [number(valueOf(query, measure).before), number(valueOf(query, measure).now)]);
  const low = Math.min(0, ...values);
  const high = Math.max(1, ...values);
  const right = width - MARGIN.right;
  const bottom = height - MARGIN.bottom;
  const x = scale(low, high, MARGIN.left + INSET, right - INSET);
  const y = scale(low, high, bottom - INSET, MARGIN.top + INSET);
  const name = measures[measure].label;
  const grid = ticks(low, high).map((tick) => [
    draw("line", { class: "grid", x1: x(tick), x2: x(tick), y1: MARGIN.top, y2: bottom }),
    draw("line", { class: "grid", x1: MARGIN.left, x2: right, y1: y(tick), y2: y(tick) }),
    draw("text", { class: "tick", x: x(tick), y: bottom + 16, "text-anchor": "middle" }, String(tick)),
    draw("text", { class: "tick", x: MARGIN.left - 8, y: y(tick) + 4, "text-anchor": "end" }, String(tick)),
  ]);
  const found = [...places.values()]
    .map((own) => place(own, measure, x, y))
    .sort((one, other) => one.order - other.order);
  const image = chart(
    width,
    height,
    `${name}, baseline against now: ${counted(found.length, "mark", "marks")}, the worst first`,
    grid,
    draw("line", { class: "diagonal", x1: x(low), y1: y(low), x2: x(high), y2: y(high) }),
    axisLabel("baseline", { x: (MARGIN.left + right) / 2, y: height - 6 }),
    axisLabel("now", { x: 12, y: (MARGIN.top + bottom) / 2, transform: `rotate(-90 12 ${(MARGIN.top + bottom) / 2})` }),
    // Small marks lie on large ones.
    [...found].sort((one, other) => other.size - one.size).map(({ node }) => node),
  );
  marks.show(image, found);
}

// The mark of the queries that share a place.
function place(own, measure, x, y) {
  const { before, now, trend } = valueOf(own[0], measure);
  const [at, up] = [x(number(before)), y(number(now))];
  if (own.length === 1) {
    return { node: draw("g", { class: "button" }, shape(trend, at, up, SMALLEST)), label: described(own[0], measure), queries: own, order: gain(own[0], measure), size: SMALLEST };
  }
  const size = Math.min(SMALLEST + 3 + 2 * Math.sqrt(own.length), LARGEST);
  const lowered = { worse: 1, better: 6 }[trend] ?? 4;
  const many = draw("text", { class: "many", x: round(at), y: round(up + lowered), "text-anchor": "middle" }, String(own.length));
  const label = `${own.length} queries: ${measures[measure].label} ${before} \u2192 ${now}, ${trend}`;
  return { node: draw("g", { class: "button" }, shape(trend, at, up, size), many), label, queries: own, order: gain(own[0], measure), size };
}

// A bar that can be hit anywhere above and below it.
function bar(query, measure, { left, pitch, from, to, bottom }) {
  const hit = draw("rect", { class: "hit", x: round(left), width: round(pitch), y: MARGIN.top, height: round(bottom - MARGIN.top) });
  const place = { x: round(left + pitch * 0.1), width: round(pitch * 0.8), y: round(Math.min(from, to)), height: round(Math.max(Math.abs(to - from), 1)) };
  const trend = wasCompared(query) ? valueOf(query, measure).trend : "same";
  return { node: draw("g", { class: "button" }, hit, draw("rect", { class: `mark ${trend}`, ...place })), label: described(query, measure), queries: [query] };
}

function rows(found, y, width, labelled) {
  return found.map((tick) => [
    draw("line", { class: tick ? "grid" : "zero", x1: MARGIN.left, x2: width - MARGIN.right, y1: y(tick), y2: y(tick) }),
    draw("text", { class: "tick", x: MARGIN.left - 8, y: y(tick) + 4, "text-anchor": "end" }, String(labelled(tick))),
  ]);
}

function chart(width, height, label, ...parts) {
  return draw("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, width, height, role: "group", "aria-label": label }, parts);
}

// One bar a query that changed, the worst first, upwards for better; those that did not change are a gap with their number.
function drawBars(measure, width, marks) {
  const height = Math.min(width, TALLEST);
  const bottom = height - 24;
  const known = queries.filter((query) => wasCompared(query) && gain(query, measure) !== null);
  const ordered = known.filter((query) => valueOf(query, measure).trend !== "same").sort((one, other) => gain(one, measure) - gain(other, measure));
  const label = `${measures[measure].label}, change of each query: ${counted(ordered.length, "bar", "bars")}, the worst first`;
  if (!ordered.length) {
    marks.show(chart(width, height, label, axisLabel("no query changed", { x: width / 2, y: height / 2 })), []);
    return;
  }
  const worse = ordered.filter((query) => gain(query, measure) < 0).length;
  const same = known.length - ordered.length;
  const most = Math.max(...ordered.map((query) => Math.abs(gain(query, measure))));
  const down = worse ? -most : -most / 6;
  const up = worse < ordered.length ? most : most / 6;
  const y = scale(down, up, bottom, MARGIN.top);
  const gap = same ? 64 : 0;
  const pitch = Math.min((width - MARGIN.left - MARGIN.right - gap) / ordered.length, WIDEST);
  const found = ordered.map((query, position) => {
    const left = MARGIN.left + position * pitch + (position >= worse ? gap : 0);
    return bar(query, measure, { left, pitch, from: y(0), to: y(gain(query, measure)), bottom });
  });
  const sign = measures[measure].higher ? 1 : -1;
  const middle = MARGIN.left + worse * pitch + gap / 2;
  marks.show(
    chart(
      width,
      height,
      label,
      rows(ticks(down, up), y, width, (tick) => sign * tick || 0),
      same ? axisLabel(`${same} same`, { x: middle, y: y(0) - 8 }) : null,
      found.map(({ node }) => node),
    ),
    found,
  );
}

// Where nothing was compared: one bar a query, the lowest value first.
function drawValues(measure, width, marks) {
  const height = Math.min(width, 320);
  const bottom = height - 24;
  const value = (query) => number(valueOf(query, measure).now);
  const ordered = queries.filter((query) => value(query) !== null).sort((one, other) => value(one) - value(other));
  const high = Math.max(...ordered.map(value), 1);
  const y = scale(0, high, bottom, MARGIN.top);
  const pitch = Math.min((width - MARGIN.left - MARGIN.right) / Math.max(ordered.length, 1), WIDEST);
  const found = ordered.map((query, position) => bar(query, measure, { left: MARGIN.left + position * pitch, pitch, from: bottom, to: y(value(query)), bottom }));
  const label = `${measures[measure].label} of each query: ${counted(found.length, "bar", "bars")}, the lowest first`;
  marks.show(chart(width, height, label, rows(ticks(0, high), y, width, (tick) => tick), found.map(({ node }) => node)), found);
}
