// Which documents are listed: filters, search, order.

const SORTS = {
  "": ["in the run's order", () => 0],
  long: ["longest first", (entry) => -entry.length],
  short: ["shortest first", (entry) => entry.length],
  disputed: ["most disputed first", (entry) => -entry.dispute],
  unsure: ["least sure prediction first", (entry) => entry.probability],
};

/** Which words of the vocabulary hold each part of the query. */
function wanted(query, vocabulary) {
  const tokens = query.toLowerCase().split(/\s+/).filter(Boolean);
  return tokens.map((token) => Uint8Array.from(vocabulary, (word) => (word.toLowerCase().includes(token) ? 1 : 0)));
}

/** Whether the query's words stand side by side in a document. */
function holds(documents, row, tables) {
  const last = documents.starts[row + 1] - tables.length;
  for (let at = documents.starts[row]; at <= last; at++) {
    if (tables.every((table, i) => table[documents.words[at + i]])) return true;
  }
  return false;
}

/** A function that says whether a row passes all filters. */
function filter(one, data) {
  const { documents } = data;
  const { hits } = data.parts[partNumber()];
  const width = one.methods.length;
  const hitOf = (row, method) => hits[row * width + one.methods.indexOf(method)];
  const said = (row) => one.classes[data.predicted[row]];
  const [fact, ...value] = state.fact.split("=");
  const tables = wanted(state.q, documents.vocabulary);
  const tests = [
    [state.hit, (row) => hitOf(row, state.hit) === 1],
    [state.miss, (row) => hitOf(row, state.miss) === 0],
    [state.class, (row) => said(row) === state.class],
    [
      state.said,
      (row) => documents.gold[row] !== null && (documents.gold[row] === said(row)) === (state.said === "correct"),
    ],
    [state.min, (row) => documents.lengths[row] >= Number(state.min)],
    [state.max, (row) => documents.lengths[row] <= Number(state.max)],
    [state.fact, (row) => documents.facts[row][decodeURIComponent(fact)] === value.join("=")],
    [state.q.trim(), (row) => holds(documents, row, tables) || documents.keys[row] === state.q.trim()],
  ].filter(([asked]) => asked);
  return (row) => tests.every(([, test]) => test(row));
}

/** How evenly the methods are divided over a document: 0 where all agree, 1 where half of them hit. */
function dispute(hits, row, width) {
  let hit = 0;
  for (let i = 0; i < width; i++) hit += hits[row * width + i] === 1;
  return 1 - Math.abs((2 * hit) / width - 1);
}

/** The rows that are listed, in order. */
function listed(one, data) {
  const passes = filter(one, data);
  const rows = Array.from(data.documents.lengths.keys()).filter(passes);
  if (!state.sort || !SORTS[state.sort]) return rows;
  const { hits } = data.parts[partNumber()];
  const key = SORTS[state.sort][1];
  const keys = new Map(
    rows.map((row) => {
      const entry = { length: data.documents.lengths[row], probability: data.probability[row] };
      return [row, key({ ...entry, dispute: state.sort === "disputed" ? dispute(hits, row, one.methods.length) : 0 })];
    }),
  );
  return rows.sort((a, b) => keys.get(a) - keys.get(b) || a - b);
}
