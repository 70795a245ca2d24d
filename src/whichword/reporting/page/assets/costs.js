// Cost against trust: dots, the names that find room beside them, and a line for those that no other beats.

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
  const labels = labelled(order, costChart(width, column, cells, edge, []), width, textWidths(byId(id)));
  const unbeaten = edge.map((cell) => cell.method).join(", ");
  const joined = "The line joins the methods that no other beats in both.";
  const alone = `No method is more often right than ${unbeaten} on these documents, and none is cheaper.`;
  byId("cost-words").textContent = `Up is more often right, left is cheaper. ${edge.length === 1 ? alone : joined}`;
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

/** How wide a chart's words are in the font that this reader has, in pixels. */
function textWidths(place) {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `12px ${getComputedStyle(place).fontFamily}`;
  return (words) => pen.measureText(words).width;
}

/** Of the methods, in order of importance, those whose names have room: {cell, dx, dy, anchor}. */
function labelled(cells, chart, width, widthOfWords) {
  const x = (cell) => chart.scale("x").apply(cell.seconds);
  const y = (cell) => chart.scale("y").apply(cell.accuracy);
  const box = (cell, [dx, dy, anchor]) => {
    const size = widthOfWords(cell.method);
    const left = x(cell) + dx - { start: 0, end: size, middle: size / 2 }[anchor];
    return { left, right: left + size, top: y(cell) + dy - 7, bottom: y(cell) + dy + 7 };
  };
  const apart = (a, b) => a.right < b.left || b.right < a.left || a.bottom < b.top || b.bottom < a.top;
  const taken = cells.map((cell) => ({ left: x(cell) - 5, right: x(cell) + 5, top: y(cell) - 5, bottom: y(cell) + 5 }));
  return cells.flatMap((cell) => {
    const inside = (spot) => spot.left > 44 && spot.right < width && spot.bottom < chart.scale("y").range[0];
    const fits = (spot) => inside(spot) && taken.every((other) => apart(spot, other));
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
