// The explorer: a list of documents, and the open one with the heat maps of the chosen methods.

const explorer = { list: null, rows: [], data: null, turn: 0 };

const BEGINNING = 24; // words of a document that the list shows
const MARKS = { 0: ["✗", "miss"], 1: ["✓", "hit"], 2: ["–", "not counted"] };

function mark(view, data, row, method) {
  const i = view.methods.indexOf(method);
  const hit = data.parts[partNumber()].hits[row * view.methods.length + i];
  if (hit === 2 || !view.uniform[i]) return MARKS[hit];
  return [share(expectation(data, row)), "expected"];
}

/** What a word drawn at random gets: the share of rewarded words. */
function expectation(data, row) {
  const { right } = data.parts[partNumber()];
  const { starts, lengths } = data.documents;
  let rewarded = 0;
  for (let t = 0; t < lengths[row]; t++) rewarded += bit(right, starts[row] + t);
  return rewarded / Math.max(1, lengths[row]);
}

/** The first words of a document. */
function wordsOf(documents, row, most = Infinity) {
  const start = documents.starts[row];
  const size = Math.min(most, documents.lengths[row]);
  return Array.from(documents.words.subarray(start, start + size), (i) => documents.vocabulary[i]);
}

/** What stands before each of these words and after the last of a document: one more than words. */
function gapsOf(documents, row, most = Infinity) {
  const start = documents.starts[row] + row;
  const size = Math.min(most, documents.lengths[row] + 1);
  return Array.from(documents.gaps.subarray(start, start + size), (i) => documents.between[i]);
}

/** How a document begins, as it was written. */
function beginning(documents, row) {
  const gaps = gapsOf(documents, row, BEGINNING);
  return wordsOf(documents, row, BEGINNING)
    .map((word, t) => gaps[t] + word)
    .join("");
}

function badge([sign, name]) {
  return el("span", { class: `badge ${name.replace(" ", "-")}`, title: name }, sign);
}

/** A row of the list: the beginning of the text, the prediction, and a sign for each chosen method. */
function listRow(row, at) {
  const { data } = explorer;
  const view = pairing();
  const key = data.documents.keys[row];
  const length = data.documents.lengths[row];
  return el(
    "button",
    {
      class: "row",
      type: "button",
      "aria-current": at === place() ? "true" : null,
      onclick: () => update({ doc: key }),
    },
    el("span", { class: "text", dir: "auto" }, beginning(data.documents, row)),
    el("span", { class: "about" }, `${view.classes[data.predicted[row]]} · ${plural(length, "word")}`),
    el("span", { class: "signs" }, ...chosenMethods().map((method) => badge(mark(view, data, row, method)))),
  );
}

/** List again: the filters, the part or the model changed. */
async function refill() {
  const view = pairing();
  const turn = ++explorer.turn;
  const data = await pairingData(view);
  if (turn !== explorer.turn) return; // something newer is under way
  explorer.data = data;
  explorer.rows = listed(view, data);
  const total = report.sets[view.set];
  const of =
    total.shown < total.documents
      ? ` (every ${Math.ceil(total.documents / total.shown)}th of ${count(total.documents)} is in this file)`
      : "";
  byId("document-count").textContent = `${count(explorer.rows.length)} of ${plural(total.shown, "document")}${of}`;
  explorer.list.fill(explorer.rows);
  await openDocument();
}

/** Where the open document stands in the list; the first one is open unless another is asked for. */
function place() {
  const { keys } = explorer.data.documents;
  const position = state.doc ? explorer.rows.findIndex((row) => keys[row] === state.doc) : 0;
  return explorer.rows.length ? Math.max(0, position) : -1;
}

/** Draw the open document. */
async function openDocument() {
  if (!explorer.data) return;
  const at = place();
  explorer.list.again();
  if (at < 0) {
    byId("document").replaceChildren(el("p", { class: "empty" }, "No document passes these filters."));
    return;
  }
  explorer.list.reveal(at);
  const view = pairing();
  const row = explorer.rows[at];
  const turn = explorer.turn;
  const levels = await heatOf(view, row);
  if (turn !== explorer.turn || place() !== at) return;
  byId("document").dataset.view = view.name;
  byId("document").replaceChildren(...documentView(view, explorer.data, row, at, levels));
}

function documentView(view, data, row, at, levels) {
  const { documents } = data;
  const [words, gaps] = [wordsOf(documents, row), gapsOf(documents, row)];
  const stack = chosenMethods().map((method) => methodRow(view, data, row, method, words, gaps, levels));
  const many = words.length * stack.length > 4000; // then rows out of sight are not laid out
  return [documentHead(view, data, row, at), el("div", { class: many ? "stack many" : "stack" }, ...stack)];
}

function documentHead(view, data, row, at) {
  const { documents } = data;
  const predicted = view.classes[data.predicted[row]];
  const gold = documents.gold[row];
  const facts = Object.entries(documents.facts[row]).map(([name, value]) => `${name}: ${value}`);
  const verdict = gold === null ? null : gold === predicted ? "right" : `wrong: it is ${gold}`;
  const probability = Number.isNaN(data.probability[row]) ? null : `probability ${share(data.probability[row])}`;
  return el(
    "header",
    {},
    el("p", { class: "predicted" }, "predicted ", el("strong", {}, predicted)),
    el(
      "p",
      { class: "facts" },
      [probability, verdict, plural(documents.lengths[row], "word"), ...facts].filter(Boolean).join(" · "),
    ),
    el("p", { class: "key" }, `${at + 1} of ${count(explorer.rows.length)} · `, link(documents.keys[row])),
  );
}

/** The document's key, linked to itself: an address to copy. */
function link(key) {
  return el(
    "a",
    { href: `#${address({ ...state, doc: key })}`, title: "a link to this document" },
    el("code", {}, key),
  );
}

function methodRow(view, data, row, method, words, gaps, levels) {
  const i = view.methods.indexOf(method);
  const width = view.methods.length;
  const start = data.documents.starts[row];
  const { right } = data.parts[partNumber()];
  const marks = {
    rmax: data.rmax[row * width + i],
    right: (t) => bit(right, start + t) === 1,
    unknown: (t) => bit(data.unknown, start + t) === 1,
    unread: (t) => t >= data.seen[row],
  };
  const shades = levels.subarray(i * words.length, (i + 1) * words.length);
  const outcome = mark(view, data, row, method);
  const note = data.note[row * width + i];
  return el(
    "section",
    { class: "method", "data-method": method },
    el("h4", {}, badge(outcome), el("code", { title: about(method) }, method), el("small", {}, outcome[1])),
    heatMap(words, gaps, shades, data.largest[row * width + i], marks),
    note ? el("p", { class: "note" }, data.notes[note - 1]) : null,
  );
}

/** To the next or the previous document of the list. */
function step(by) {
  if (!explorer.data || !explorer.rows.length) return;
  const next = Math.min(explorer.rows.length - 1, Math.max(0, place() + by));
  update({ doc: explorer.data.documents.keys[explorer.rows[next]] });
}
