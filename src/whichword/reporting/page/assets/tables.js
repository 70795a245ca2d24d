// Tables of numbers: all results at a glance, and the health of the methods.

/** The model, with its run where another run has a model of that name. */
const title = (one) =>
  report.pairings.some((p) => p.model === one.model && p.run !== one.run) ? `${one.run}: ${one.model}` : one.model;

/** Every column of every game; a click on one opens it below. */
function overview() {
  const columns = report.pairings.flatMap((one) => one.columns.map((column) => ({ one, column })));
  const key = ({ one, column }) => `${one.corpus} · ${column.label}`;
  const groups = d3.group(columns, key);
  const ordered = [...groups.values()].flat();
  const methods = [...new Set(report.pairings.flatMap((one) => [...one.methods, ...one.undefined]))];
  const chosen = ({ one, column: mine }) => one === pairing() && mine === column();
  const marked = (entry) => [chosen(entry) && "chosen", entry.column.few && "few"].filter(Boolean).join(" ");
  const head = [...groups].map(([label, group]) => el("th", { colspan: group.length, scope: "colgroup" }, label));
  const names = ordered.map((entry) => el("th", { scope: "col", class: marked(entry) }, opener(entry)));
  const rows = methods.map((method) =>
    el(
      "tr",
      {},
      el("th", { scope: "row", title: about(method) }, method),
      ...ordered.map((entry) => resultCell(entry, method, marked(entry))),
    ),
  );
  const last = [
    ["chance", (column) => share(column.chance)],
    ["documents", (column) => count(column.documents)],
  ].map(([name, value]) =>
    el(
      "tr",
      { class: "last" },
      el("th", { scope: "row" }, name),
      ...ordered.map((entry) => el("td", { class: marked(entry) }, value(entry.column))),
    ),
  );
  byId("overview-table").replaceChildren(
    el("thead", {}, el("tr", {}, el("td", {}), ...head), el("tr", {}, el("td", {}), ...names)),
    el("tbody", {}, ...rows, ...last),
  );
  const faded = ordered.filter((entry) => entry.column.few).length;
  byId("faded").hidden = !faded;
  byId("faded").textContent = `Faded: fewer than ${report.few} documents count (${plural(faded, "column")}). The figures stand, but they decide nothing.`;
  undefinedMethods();
}

/** Why something is n/a, once for all models that have the same reason. */
function undefinedMethods() {
  const entries = report.pairings.flatMap((one) => one.undefined.map((method) => ({ one, method, reason: one.reasons[method] })));
  const models = (group) => [...new Set(group.map(({ one }) => title(one)))].join(", ");
  const line = (group) => el("li", {}, el("code", {}, group[0].method), ` (${models(group)}): ${group[0].reason}`);
  const groups = d3.group(entries, ({ method, reason }) => JSON.stringify([method, reason]));
  const [summary, list] = byId("undefined").children;
  byId("undefined").hidden = !entries.length;
  summary.textContent = `Why n/a: ${plural(new Set(entries.map(({ method }) => method)).size, "method")}`;
  list.replaceChildren(...[...groups.values()].map(line));
}

function opener({ one, column }) {
  const open = () => update({ view: one.name, part: column.part });
  return el("button", { type: "button", onclick: open, title: `look at ${title(one)}` }, el("span", {}, title(one)));
}

function resultCell({ one, column }, method, marks) {
  const cell = column.cells.find((found) => found.method === method);
  const about = cell ? describe(cell) : `${method}\nn/a: ${one.reasons[method] ?? "it was not asked"}`;
  const td = el("td", { title: about, class: `${marks}${cell?.tied && !column.few ? " leading" : ""}` });
  td.append(el("span", {}, cell ? share(cell.accuracy) : "n/a"));
  td.firstChild.style.setProperty("--strength", `${column.few ? 0 : Math.round(60 * (cell?.accuracy ?? 0) ** 2)}%`);
  return td;
}

/** As in the table: of the documents that count in the part of the game that is looked at. */
const tiesOf = (method) => column().cells.find((cell) => cell.method === method)?.ties ?? 0;

function health() {
  const one = pairing();
  const baseline = (name) => column().cells.some((cell) => cell.method === name && cell.baseline);
  const ill = one.health.filter((found) => found.complaints.length && !baseline(found.method)); // baselines are so
  const rows = one.health.map((found) =>
    el(
      "tr",
      { class: ill.includes(found) ? "ill" : null },
      el("th", { scope: "row", title: about(found.method) }, found.method),
      el("td", {}, String(found.nonfinite)),
      el("td", {}, String(found.constant)),
      el("td", {}, count(tiesOf(found.method))),
      el("td", {}, `${share(found.edges)} / ${share(found.even)}`),
      el("td", { class: "words" }, [...found.complaints, ...found.remarks].join("; ") || "–"),
    ),
  );
  const heads = ["method", "not finite", "constant", "ties", "on the edges / even", "remarks"];
  byId("health-table").replaceChildren(
    el("thead", {}, el("tr", {}, ...heads.map((head) => el("th", { scope: "col" }, head)))),
    el("tbody", {}, ...rows),
  );
  byId("health-words").textContent = ill.length ? "Something to know about:" : "Nothing suspicious in any method.";
  const line = (found) => el("li", {}, el("code", {}, found.method), `: ${found.complaints.join("; ")}`);
  byId("complaints").replaceChildren(...ill.map(line));
}
