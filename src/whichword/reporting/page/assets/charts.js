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
