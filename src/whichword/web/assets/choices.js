// Model, class and methods.

const chosen = { methods: new Set() };

const model = () => report.models[Number(byId("model").value)];

const possible = () => report.methods.filter((name) => !Object.hasOwn(model().undefined, name));

const chosenMethods = () => possible().filter((name) => chosen.methods.has(name));

function drawModels() {
  const title = (one) => `${one.label} (${one.network})`;
  byId("model").replaceChildren(...report.models.map((one, i) => option(String(i), title(one), "0")));
  byId("model").addEventListener("input", () => {
    drawClasses();
    drawMethods();
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
      if (!chosen.methods.delete(name)) chosen.methods.add(name);
      drawMethods();
      byId("methods").querySelector(`[data-method="${CSS.escape(name)}"]`).focus();
    };
    return el(
      "button",
      { type: "button", "data-method": name, disabled: reason !== null, title: reason, "aria-pressed": String(reason === null && chosen.methods.has(name)), onclick: press },
      name,
    );
  };
  byId("methods").replaceChildren(...report.methods.map(chip));
}

function choose(names) {
  chosen.methods = new Set(names);
  drawMethods();
}

function choices() {
  drawModels();
  drawClasses();
  choose(report.chosen);
  byId("all-methods").addEventListener("click", () => choose(report.methods));
  byId("few-methods").addEventListener("click", () => choose(report.chosen));
}
