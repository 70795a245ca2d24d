// Model, class and methods.

const chosen = { methods: new Set(), touched: false };

const model = () => report.models[Number(byId("model").value)];

const possible = () => report.methods.filter((name) => !Object.hasOwn(model().undefined, name));

const chosenMethods = () => possible().filter((name) => chosen.methods.has(name));

function drawModels() {
  const title = (one) => `${one.label} (${one.network})`;
  byId("model").replaceChildren(...report.models.map((one, i) => option(String(i), title(one), "0")));
  byId("model").addEventListener("input", () => {
    drawClasses();
    drawMethods();
    adopt();
  });
}

function drawClasses() {
  const names = model().classes.map((name, i) => option(String(i), `why ${name}?`, ""));
  byId("target").replaceChildren(option("", "the predicted class", ""), ...names);
}

/** The class to explain by name; null: the predicted one. */
const target = () => (byId("target").value === "" ? null : model().classes[Number(byId("target").value)]);

function chooseTarget(name) {
  byId("target").value = String(model().classes.indexOf(name));
}

function drawMethods() {
  const chip = (name) => {
    const reason = model().undefined[name] ?? null; // why the model cannot have it
    const press = () => {
      chosen.touched = true;
      if (!chosen.methods.delete(name)) chosen.methods.add(name);
      drawMethods();
      byId("methods").querySelector(`[data-method="${CSS.escape(name)}"]`).focus();
    };
    return el(
      "button",
      { type: "button", "data-method": name, disabled: reason !== null, title: [about(name), reason && `not for this model: ${reason}`].filter(Boolean).join("\n"), "aria-pressed": String(reason === null && chosen.methods.has(name)), onclick: press },
      name,
    );
  };
  byId("methods").replaceChildren(...report.methods.map(chip));
}

function choose(names) {
  chosen.methods = new Set(names);
  drawMethods();
}

/** What the runs on the shelf say of the chosen model: methods that were decided on, and why. */
async function adviceFor(label) {
  const numbers = report.runs.flatMap((run, number) => (run.pairings.some((pairing) => pairing.model === label) ? [number] : []));
  const told = await Promise.all(numbers.map((number) => adviceOf(number).catch(() => ({ advice: [], examples: [] }))));
  return {
    advice: told.flatMap((one) => one.advice).filter((entry) => entry.model === label),
    examples: told.flatMap((one, i) => one.examples.filter((example) => playedBy(report.runs[numbers[i]], label, example.corpus))),
  };
}

const playedBy = (run, label, corpus) => run.pairings.some((pairing) => pairing.model === label && pairing.corpus === corpus);

/** Begin with what the verdict chose for this model, unless the person has chosen already. */
async function adopt() {
  const mine = model();
  delete byId("methods").dataset.settled;
  drawExamples([]);
  const { advice, examples } = await adviceFor(mine.label);
  if (model() !== mine) return; // another model was chosen meanwhile
  const names = [...new Set(advice.map((entry) => entry.method).filter((name) => name && possible().includes(name)))];
  if (!chosen.touched) choose(names.length ? names : report.chosen);
  byId("why").hidden = !advice.length;
  byId("why").replaceChildren(...advice.map((entry) => el("span", {}, entry.headline)));
  drawExamples(examples);
  byId("methods").dataset.settled = "true";
}

/** Texts of the model's own runs; where there is none, two of ours. */
function drawExamples(examples) {
  const offered = examples.length ? examples : report.examples.map((text) => ({ text }));
  const button = ({ text, words }) => {
    const whole = text ?? words.join(" ");
    const fill = () => (fields[0].fill(whole, words ?? null), explainAll());
    return el("button", { type: "button", class: "plain", dir: "auto", title: whole, onclick: fill }, whole.length > 48 ? `${whole.slice(0, 46)} …` : whole);
  };
  byId("examples").replaceChildren("Try: ", ...offered.slice(0, 3).map(button));
}

function choices() {
  drawModels();
  drawClasses();
  choose(report.chosen);
  const press = (names) => ((chosen.touched = true), choose(names));
  byId("all-methods").addEventListener("click", () => press(report.methods));
  byId("few-methods").addEventListener("click", () => press(report.chosen));
  adopt();
}
