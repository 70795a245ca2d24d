// The page: one or two texts, explained by all chosen methods.

const TITLES = ["Type or paste a text", "A second text to compare with"];

/** A text field; a text that came as words is sent as these words, until it is changed. */
class Field {
  constructor(number) {
    this.words = null;
    this.area = el("textarea", { rows: 3, dir: "auto", spellcheck: "false", placeholder: `${TITLES[number]} …`, "aria-label": TITLES[number] });
    this.area.addEventListener("input", () => (this.words = null));
  }

  fill(text, words) {
    this.area.value = text;
    this.words = words;
  }

  get question() {
    return this.words ? { words: this.words } : { text: this.area.value };
  }

  get empty() {
    return !this.area.value.trim();
  }
}

const fields = [new Field(0), new Field(1)];
const work = { under: null, readings: [] };

const comparing = () => byId("compare").getAttribute("aria-pressed") === "true";

function compare(both) {
  byId("compare").setAttribute("aria-pressed", String(both));
  byId("texts").replaceChildren(...fields.slice(0, both ? 2 : 1).map((field) => field.area));
  byId("results").classList.toggle("compared", both);
}

function explainLeft(reading) {
  compare(true);
  fields[0].fill(reading.text(), reading.question.words ?? null);
  fields[1].fill(reading.text(reading.edits), reading.said.words.filter((_, t) => reading.edits.get(t) !== "cut"));
  explainAll();
}

function explainClass(name) {
  chooseTarget(name);
  explainAll();
}

/** Explain what stands in the fields, one after the other. */
async function explainAll() {
  work.under?.abort();
  const under = (work.under = new AbortController());
  const filled = fields.slice(0, comparing() ? 2 : 1).filter((field) => !field.empty);
  complain(null);
  if (!filled.length) return complain(new Error("There is no text yet."));
  if (!chosenMethods().length) return complain(new Error("Choose a method."));
  begin();
  try {
    for (const field of filled) await explainOne(field, under.signal);
  } catch (error) {
    if (!ended(error)) complain(error);
  } finally {
    if (work.under === under) finish();
  }
}

function begin() {
  work.started = performance.now();
  work.readings = [];
  editing.drawn = [];
  byId("results").replaceChildren();
  byId("stop").hidden = false;
  byId("results").setAttribute("aria-busy", "true");
  progress();
}

function finish() {
  work.under = null;
  for (const reading of work.readings) reading.end();
  byId("stop").hidden = true;
  byId("results").setAttribute("aria-busy", "false");
  progress();
}

async function explainOne(field, signal) {
  const question = { model: Number(byId("model").value), methods: chosenMethods(), target: target(), ...field.question };
  let reading = null;
  for await (const told of streamed("/api/explain", question, signal)) {
    if (told.event === "error") throw new Error(told.error);
    if (told.event === "read") reading = open(told, question);
    if (told.event === "methods") for (const answer of told.methods) reading.add(answer, told.seconds / told.methods.length);
    progress();
  }
}

function open(said, question) {
  const methods = question.methods.filter((name) => !Object.hasOwn(said.undefined, name));
  const reading = new Reading(said, methods, { explainClass, explainLeft });
  reading.question = question;
  work.readings.push(reading);
  byId("results").append(reading.node);
  byId("legend").hidden = false;
  return reading;
}

function progress() {
  const done = work.readings.reduce((sum, reading) => sum + reading.done.length, 0);
  const total = work.readings.reduce((sum, reading) => sum + reading.methods.length, 0);
  const seconds = duration((performance.now() - work.started) / 1000);
  const words = work.readings.map((reading) => plural(reading.said.words.length, "word")).join(" and ");
  const state = work.under ? (total ? `${done} of ${plural(total, "method")} …` : "waiting …") : `${plural(done, "heat map")} in ${seconds}`;
  byId("status").textContent = [words, work.readings.length || work.under ? state : ""].filter(Boolean).join(" · ");
}

function start() {
  settings();
  runCards();
  if (!report.models.length) {
    byId("ask").hidden = true;
    return;
  }
  choices();
  compare(false);
  byId("compare").addEventListener("click", () => compare(!comparing()));
  byId("stop").addEventListener("click", () => work.under?.abort());
  byId("ask").addEventListener("submit", (event) => {
    event.preventDefault();
    explainAll();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) explainAll();
  });
  fields[0].area.focus();
}

start();
