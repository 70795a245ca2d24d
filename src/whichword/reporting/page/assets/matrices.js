// Every method against every other: agreement and significance, as squares.

const WARM = "var(--warm)";
const MANY = 20; // methods

/** Squares with a number in each; `cell` gives {strength -1..1, text, title} for a row and a column. */
function matrix(id, labels, cell, description) {
  const left = marginFor(labels);
  byId(id).closest("section").classList.toggle("whole", labels.length > MANY); // where two stand side by side
  const right = 12 + 3.3 * labels.at(-1).length; // its name leans over the edge
  const side = Math.min(44, Math.max(23, (widthOf(byId(id)) - left - right) / labels.length));
  const cells = labels.flatMap((row) => labels.map((col) => ({ row, col, ...cell(row, col) })));
  const chart = Plot.plot({
    width: left + side * labels.length + right,
    height: left + 25 * labels.length + 8,
    marginLeft: left,
    marginTop: left,
    marginRight: right,
    marginBottom: 8,
    padding: 0.06,
    x: { ...METHOD, domain: labels, axis: "top", tickRotate: -60 },
    y: { ...METHOD, domain: labels },
    opacity: { type: "identity" },
    marks: [
      Plot.cell(cells, { x: "col", y: "row", rx: 3, fill: "var(--line)", fillOpacity: 0.35 }),
      Plot.cell(cells, {
        x: "col",
        y: "row",
        rx: 3,
        fill: (d) => (d.strength < 0 ? WARM : ACCENT),
        fillOpacity: (d) => Math.abs(d.strength),
        title: "title",
        tip: { preferredAnchor: "bottom" },
      }),
      Plot.text(cells, { x: "col", y: "row", text: "text", fontSize: side < 27 ? 9 : 10, fontVariant: "tabular-nums", fill: INK }),
    ],
  });
  show(id, chart, description);
}

const AGREEMENT = {
  correlation: {
    label: "rank correlation",
    words: (a, b, value) => `${a}, ${b}\nmean rank correlation ${share(value)}`,
  },
  same: {
    label: "same most relevant word",
    words: (a, b, value) => `${a}, ${b}\nsame word in ${percent(value)} of documents`,
  },
};

function agreement(id, one, by) {
  const labels = one.order.map((i) => one.methods[i]);
  const value = (a, b) => one[by][one.methods.indexOf(a)][one.methods.indexOf(b)];
  const cell = (a, b) => {
    const found = value(a, b);
    if (a === b) return { strength: 0, text: "", title: a };
    return { strength: 0.65 * (found ?? 0), text: share(found), title: AGREEMENT[by].words(a, b, found) };
  };
  matrix(id, labels, cell, `Agreement between methods: ${AGREEMENT[by].label}`);
}

/** Blue: the row's method is better than the column's; warm: worse; a dot: not told apart. */
function significance(id, column) {
  const found = new Map();
  for (const { a, b, difference, p } of column.apart) {
    found.set(JSON.stringify([a, b]), { difference, p });
    found.set(JSON.stringify([b, a]), { difference: -difference, p });
  }
  const tested = new Set(column.apart.flatMap(({ a, b }) => [a, b]));
  const cell = (a, b) => {
    const pair = found.get(JSON.stringify([a, b]));
    if (!pair) return { strength: 0, text: "", title: a };
    const points = Math.round(100 * pair.difference);
    const told = pair.p < 0.05;
    const strength = told ? Math.sign(pair.difference) * (0.2 + 0.45 * Math.min(1, 2 * Math.abs(pair.difference))) : 0;
    const title = `${a} against ${b}\n${points > 0 ? "+" : ""}${points} points, ${pValue(pair.p)}`;
    return { strength, text: told ? `${points > 0 ? "+" : ""}${points}` : "·", title };
  };
  const labels = byAccuracy(column.cells)
    .map((one) => one.method)
    .filter((name) => tested.has(name));
  matrix(id, labels, cell, "Differences between methods in points, where significant");
}
