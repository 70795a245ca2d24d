// The page as a whole: controls, drawing in order, keys, light and dark.

const watchAll = (draw, ...names) => watch(names, draw);

function drawPicker() {
  const one = pairing();
  byId("view").replaceChildren(
    ...report.pairings.map((p) => option(p.name, `${title(p)} on ${p.corpus}, ${p.game}`, one.name)),
  );
  const parts = one.columns.map((c) => [c.part, c.label]);
  byId("parts").replaceChildren(
    parts.length > 1 ? segmented("part of the game", parts, column().part, (part) => update({ part })) : "",
  );
}

function drawCharts() {
  const one = column();
  const drawn = [
    ["forest", () => forest("forest", one), one.cells.some((cell) => cell.accuracy !== null)],
    ["costs", () => costs("costs", one), priced(one).length > 0],
    ["significance", () => significance("significance", one), one.apart.length > 0],
  ];
  for (const [id, draw, possible] of drawn) {
    if (possible) draw();
    else byId(id).replaceChildren(el("p", { class: "empty" }, "No document counts here."));
  }
  byId("accuracy-words").textContent = accuracyWords(one);
}

/** Who is not significantly worse than the best of these documents. */
function leadingWords(group, methods) {
  if (group.length === 1) return `${group[0]} leads alone.`;
  if (group.length === methods) return `None of ${methods} methods is told apart from the best one.`;
  const more = group.length > 6 ? ` and ${group.length - 6} others` : "";
  return `${group[0]} comes first, and is not told apart from ${group.slice(1, 6).join(", ")}${more}.`;
}

function accuracyWords(one) {
  const group = byAccuracy(one.cells.filter((cell) => cell.tied)).map((cell) => cell.method);
  const counted = `${plural(one.documents, "document")} count, ${count(one.discarded)} discarded.`;
  if (!group.length) return counted;
  return `${leadingWords(group, one.cells.filter((cell) => !cell.baseline).length)} ${counted}`;
}

function drawAgreement() {
  const by = state.pairs in AGREEMENT ? state.pairs : "correlation";
  const choices = Object.entries(AGREEMENT).map(([name, { label }]) => [name, label]);
  byId("pairs").replaceChildren(segmented("agreement by", choices, by, (pairs) => update({ pairs })));
  agreement("agreement-chart", pairing(), by);
}

function drawChips() {
  const chosen = chosenMethods();
  for (const place of document.querySelectorAll(".chips")) {
    place.replaceChildren(
      ...pairing().methods.map((name) =>
        el(
          "button",
          { type: "button", title: about(name), "aria-pressed": String(chosen.includes(name)), onclick: () => toggleMethod(name) },
          name,
        ),
      ),
    );
  }
}

function drawFilters() {
  const one = pairing();
  const judged = one.methods.filter((_, i) => !one.uniform[i]); // an expectation neither hits nor misses
  const methods = (chosen) => [option("", "any", chosen), ...judged.map((name) => option(name, name, chosen))];
  byId("filter-hit").replaceChildren(...methods(state.hit));
  byId("filter-miss").replaceChildren(...methods(state.miss));
  byId("filter-class").replaceChildren(
    option("", "any", state.class),
    ...one.classes.map((name) => option(name, name, state.class)),
  );
  byId("filter-sort").replaceChildren(
    ...Object.entries(SORTS).map(([name, [label]]) => option(name, label, state.sort)),
  );
  for (const [id, value] of [
    ["said", state.said],
    ["min", state.min],
    ["max", state.max],
    ["q", state.q],
  ])
    byId(`filter-${id}`).value = value;
  byId("truth").textContent = column().truth;
  setData(one.set).then(({ gold, facts }) => drawFacts(gold, facts));
}

function drawFacts(gold, facts) {
  byId("filter-said").closest("label").hidden = gold.every((one) => one === null);
  const seen = new Map();
  for (const fact of facts)
    for (const [name, value] of Object.entries(fact))
      seen.set(`${encodeURIComponent(name)}=${value}`, `${name}: ${value}`);
  const few = [...seen].sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true })).slice(0, 60);
  byId("filter-fact").replaceChildren(
    option("", "any", state.fact),
    ...few.map(([value, label]) => option(value, label, state.fact)),
  );
  byId("filter-fact").closest("label").hidden = !few.length;
}

const CONTROLS = {
  view: "view",
  hit: "filter-hit",
  miss: "filter-miss",
  class: "filter-class",
  said: "filter-said",
  min: "filter-min",
  max: "filter-max",
  fact: "filter-fact",
  q: "filter-q",
  sort: "filter-sort",
};

function listen() {
  for (const [member, id] of Object.entries(CONTROLS))
    byId(id).addEventListener("input", (event) => update({ [member]: event.target.value }));
  byId("clear").addEventListener("click", () =>
    update({ hit: "", miss: "", class: "", said: "", min: "", max: "", fact: "", q: "", sort: "" }),
  );
  for (const link of document.querySelectorAll("a[data-section]")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      byId(link.dataset.section).scrollIntoView({ block: "start" });
    });
  }
  for (const button of document.querySelectorAll("[data-file]"))
    button.addEventListener("click", () => save(button.dataset.file, button.dataset.kind));
  addEventListener("hashchange", () => update(recall(location.hash)));
  byId("show-keys").addEventListener("click", () => byId("keys").showModal());
  byId("steps").textContent = String(FULL);
  followPointer(byId("document"));
}

async function save(name, kind) {
  const address = URL.createObjectURL(new Blob([await inflate(`file/${name}`)], { type: kind }));
  const link = el("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

const KEYS = {
  j: () => step(1),
  k: () => step(-1),
  "/": () => byId("filter-q").focus(),
  t: () => byId("theme").click(),
  c: () => byId("palette").click(),
  "?": () => byId("keys").showModal(),
};

function onKey(event) {
  const typing = event.target.matches("input, select, textarea");
  if (event.key === "Escape" && typing) event.target.blur();
  if (typing || event.ctrlKey || event.metaKey || event.altKey || !KEYS[event.key]) return;
  event.preventDefault();
  KEYS[event.key]();
}

// Light, dark and colours: remembered where the browser allows it.
function setting(name, initial, apply) {
  const read = () => {
    try {
      return localStorage.getItem(`whichword ${name}`);
    } catch {
      return null; // no storage for local files here
    }
  };
  let value = read() ?? initial();
  apply(value);
  return (next) => {
    value = next(value);
    apply(value);
    try {
      localStorage.setItem(`whichword ${name}`, value);
    } catch {
      // it holds until the page is closed
    }
  };
}

function settings() {
  const root = document.documentElement;
  const dark = () => (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  const theme = setting("theme", dark, (value) => (root.dataset.theme = value));
  byId("theme").addEventListener("click", () => theme((value) => (value === "dark" ? "light" : "dark")));
  const palette = setting(
    "palette",
    () => "paper",
    (value) => {
      root.dataset.palette = value;
      byId("palette").setAttribute("aria-pressed", String(value !== "paper"));
      repaint();
    },
  );
  byId("palette").addEventListener("click", () => palette((value) => (value === "paper" ? "colour-blind" : "paper")));
}

function start() {
  settings();
  for (const name of document.querySelectorAll(".answer, .choice")) if (about(name.textContent)) name.title = about(name.textContent);
  Object.assign(state, recall(location.hash));
  explorer.list = new VirtualList(byId("list"), 62, listRow);
  const draws = [
    [overview, "view", "part"],
    [drawPicker, "view", "part"],
    [drawCharts, "view", "part"],
    [drawAgreement, "view", "pairs"],
    [drawSlices, "view", "part", "slice", "methods"],
    [health, "view", "part"],
    [drawChips, "view", "part", "methods"],
    [drawFilters, "view", "part", "hit", "miss", "class", "said", "min", "max", "fact", "q", "sort"],
    [refill, "view", "part", "hit", "miss", "class", "said", "min", "max", "fact", "q", "sort"],
    [openDocument, "doc", "methods"],
  ];
  for (const [draw, ...names] of draws) {
    watchAll(draw, ...names);
    if (draw !== openDocument && draw !== refill) draw();
  }
  refill().then(() => state.doc && byId("documents").scrollIntoView({ block: "start", behavior: "instant" }));
  listen();
  document.addEventListener("keydown", onKey);
  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth === width) return; // on a phone the height changes while scrolling
    width = innerWidth;
    for (const draw of [drawCharts, drawAgreement, drawSlices]) draw();
  });
}

start();
