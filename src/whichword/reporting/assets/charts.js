// Charts, drawn by Observable Plot. Colours are variables of the style sheet, so light and dark need no new drawing.

const INK = "var(--ink)";
const SOFT = "var(--ink-soft)";
const ACCENT = "var(--accent)";
const PAGE = "var(--page)";
const METHOD = { tickSize: 0, label: null };

const widthOf = (node) => Math.max(320, Math.floor(node.getBoundingClientRect().width));

/** Room for the longest name. */
const marginFor = (names) => 24 + 6.6 * Math.min(28, Math.max(...names.map((name) => name.length)));

const colourOf = (cell) => (cell.tied ? ACCENT : SOFT);

const describe = (cell) =>
  [
    about(cell.method)?.split("\n")[0] ? `${cell.method}: ${about(cell.method).split("\n")[0]}` : cell.method,
    `${share(cell.accuracy)} [${share(cell.low)} ${share(cell.high)}]`,
    cell.seconds > 0 ? `${duration(cell.seconds)} per document` : null,
    cell.ties ? `${plural(cell.ties, "tie")}` : null,
    cell.nonfinite ? `not finite: ${plural(cell.nonfinite, "document")}` : null,
  ]
    .filter(Boolean)
    .join("\n");

/** Put a chart into its place; its description is for those who cannot see it. */
function show(id, chart, description) {
  const place = byId(id);
  chart.setAttribute("role", "img");
  chart.setAttribute("aria-label", description);
  for (const label of chart.querySelectorAll('[aria-label$="tick label"] text')) {
    const words = about(label.textContent);
    if (words) label.append(svgTitle(words));
  }
  place.replaceChildren(chart);
}

function svgTitle(words) {
  const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
  title.textContent = words;
  return title;
}

/** Accuracies with their intervals, the best on top, against chance and against the best method's interval. */
function forest(id, column) {
  const cells = byAccuracy(column.cells).filter((cell) => cell.accuracy !== null);
  const best = cells.find((cell) => cell.method === column.best);
  const order = cells.map((cell) => cell.method);
  const narrow = widthOf(byId(id)) < 560;
  const chart = Plot.plot({
    width: widthOf(byId(id)),
    height: 64 + 24 * cells.length,
    marginLeft: marginFor(order),
    marginRight: narrow ? 44 : 116,
    marginTop: 28,
    x: { domain: [0, 1], label: null, tickFormat: share, ticks: narrow ? 3 : 5, grid: true },
    y: { ...METHOD, domain: order },
    marks: [
      best ? Plot.rect([best], { x1: "low", x2: "high", fill: ACCENT, fillOpacity: 0.1 }) : null,
      column.chance === null ? null : Plot.ruleX([column.chance], { stroke: INK, strokeDasharray: "2 3" }),
      column.chance === null
        ? null
        : Plot.text([column.chance], {
            x: (d) => d,
            frameAnchor: "top",
            dy: -14,
            text: (d) => `chance ${share(d)}`,
            fill: SOFT,
          }),
      Plot.ruleY(cells, {
        y: "method",
        x1: "low",
        x2: "high",
        stroke: colourOf,
        strokeWidth: 2,
        strokeLinecap: "round",
      }),
      Plot.dot(cells, {
        y: "method",
        x: "accuracy",
        r: 4.5,
        fill: (cell) => (cell.baseline ? PAGE : colourOf(cell)),
        stroke: colourOf,
        strokeWidth: 2,
        title: describe,
        tip: true,
      }),
      Plot.text(cells, {
        y: "method",
        frameAnchor: "right",
        textAnchor: "start",
        dx: 10,
        text: (cell) =>
          narrow ? share(cell.accuracy) : `${share(cell.accuracy)}  [${share(cell.low)} ${share(cell.high)}]`,
        fontVariant: "tabular-nums",
        fontWeight: (cell) => (cell.tied ? 600 : 400),
        fill: INK,
      }),
    ],
  });
  show(id, chart, `Accuracy of each method with its interval, best first: ${order.join(", ")}`);
}

/** Methods that no other method beats in both accuracy and cost. */
function frontier(cells) {
  let best = -1;
  return [...cells]
    .sort((a, b) => a.seconds - b.seconds || b.accuracy - a.accuracy)
    .filter((cell) => cell.accuracy > best && ((best = cell.accuracy), true));
}

/** Methods with an accuracy and a price; baselines cost nothing that could be compared. */
const priced = (column) => column.cells.filter((cell) => !cell.baseline && cell.seconds > 0 && cell.accuracy !== null);

/** Powers of ten around the prices. */
function decades(cells) {
  const logs = cells.map((cell) => Math.log10(cell.seconds));
  const first = Math.floor(Math.min(...logs));
  return Array.from({ length: Math.ceil(Math.max(...logs)) - first + 1 }, (_, i) => 10 ** (first + i));
}

/** Cost against trust: upper left is good and cheap. Dots whose names find no room are listed below. */
function costs(id, column) {
  const cells = byAccuracy(priced(column));
  const edge = frontier(cells);
  const width = widthOf(byId(id));
  const order = [...new Set([...edge, ...cells])];
  const labels = labelled(order, costChart(width, column, cells, edge, []), width);
  const unbeaten = edge.map((cell) => cell.method).join(", ");
  show(id, costChart(width, column, cells, edge, labels), `Accuracy against seconds per document; not beaten in both: ${unbeaten}`);
  const named = new Set(labels.map((label) => label.cell));
  const line = (cell) => el("li", { title: about(cell.method) }, el("code", {}, cell.method), ` ${share(cell.accuracy)}, ${duration(cell.seconds)}`);
  byId("cost-list").replaceChildren(...cells.filter((cell) => !named.has(cell)).map(line));
}

/** Where a name may stand beside its dot: to the right, to the left, above, below. */
const SPOTS = [
  [9, -9, "start"],
  [9, 10, "start"],
  [-9, -9, "end"],
  [-9, 10, "end"],
  [0, -16, "middle"],
  [0, 18, "middle"],
];

/** Of the methods, in order of importance, those whose names have room: {cell, dx, dy, anchor}. */
function labelled(cells, chart, width) {
  const x = (cell) => chart.scale("x").apply(cell.seconds);
  const y = (cell) => chart.scale("y").apply(cell.accuracy);
  const box = (cell, [dx, dy, anchor]) => {
    const size = 6.3 * cell.method.length;
    const left = x(cell) + dx - { start: 0, end: size, middle: size / 2 }[anchor];
    return { left, right: left + size, top: y(cell) + dy - 7, bottom: y(cell) + dy + 7 };
  };
  const apart = (a, b) => a.right < b.left || b.right < a.left || a.bottom < b.top || b.bottom < a.top;
  const taken = cells.map((cell) => ({ left: x(cell) - 5, right: x(cell) + 5, top: y(cell) - 5, bottom: y(cell) + 5 }));
  return cells.flatMap((cell) => {
    const fits = (spot) => spot.left > 44 && spot.right < width && taken.every((other) => apart(spot, other));
    const spot = SPOTS.find((candidate) => fits(box(cell, candidate)));
    if (!spot) return [];
    taken.push(box(cell, spot));
    return [{ cell, dx: spot[0], dy: spot[1], anchor: spot[2] }];
  });
}

function costChart(width, column, cells, edge, labels) {
  const heights = [...cells.map((cell) => cell.accuracy), column.chance ?? 1];
  return Plot.plot({
    width,
    height: width < 560 ? 360 : 440,
    marginLeft: 44,
    marginRight: 90,
    marginBottom: 44,
    x: {
      type: "log",
      label: "per document, on one core →",
      tickFormat: duration,
      ticks: decades(cells),
      grid: true,
      nice: true,
    },
    y: {
      label: "↑ accuracy",
      tickFormat: share,
      grid: true,
      domain: [Math.max(0, Math.min(...heights) - 0.05), Math.max(...heights) + 0.06],
    },
    marks: [
      column.chance === null ? null : Plot.ruleY([column.chance], { stroke: INK, strokeDasharray: "2 3" }),
      Plot.line(edge, { x: "seconds", y: "accuracy", curve: "step-after", stroke: ACCENT, strokeOpacity: 0.5 }),
      Plot.dot(cells, {
        x: "seconds",
        y: "accuracy",
        r: 5,
        fill: colourOf,
        fillOpacity: 0.85,
        title: describe,
        tip: true,
      }),
      ...labels.map(({ cell, dx, dy, anchor }) =>
        Plot.text([cell], { x: "seconds", y: "accuracy", text: "method", textAnchor: anchor, dx, dy, fill: INK, stroke: PAGE, strokeWidth: 4 }),
      ),
    ],
  });
}

/** The chosen methods in each slice of the documents. */
function sliceChart(id, slices, methods, all) {
  const rows = slices.flatMap((slice) =>
    methods.map((method) => {
      const i = all.indexOf(method);
      const label = `${slice.value}  (${count(slice.documents)})`;
      return { label, method, accuracy: slice.accuracy[i], low: slice.low[i], high: slice.high[i] };
    }),
  );
  const chart = Plot.plot({
    width: widthOf(byId(id)),
    height: 60 + slices.length * (12 + 13 * methods.length),
    marginLeft: marginFor(rows.map((row) => row.label)),
    marginRight: 20,
    x: { domain: [0, 1], label: null, tickFormat: share, ticks: 5, grid: true },
    y: { axis: null, domain: methods, padding: 0.5 },
    fy: { label: null, domain: [...new Set(rows.map((row) => row.label))], padding: 0.1 },
    color: { domain: methods, scheme: "observable10", legend: true },
    marks: [
      Plot.frame({ stroke: "var(--line)" }),
      Plot.ruleY(rows, {
        fy: "label",
        y: "method",
        x1: "low",
        x2: "high",
        stroke: "method",
        strokeWidth: 2,
        strokeLinecap: "round",
      }),
      Plot.dot(rows, {
        fy: "label",
        y: "method",
        x: "accuracy",
        fill: "method",
        r: 4,
        title: (row) => `${row.method}\n${share(row.accuracy)} [${share(row.low)} ${share(row.high)}]\n${row.label}`,
        tip: true,
      }),
    ],
  });
  show(id, chart, `Accuracy of ${methods.join(", ")} in each slice`);
}
