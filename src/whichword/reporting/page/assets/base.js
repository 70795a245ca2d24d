// Elements, numbers and words. Text only ever becomes a text node or an attribute value: nothing here parses HTML.

const report = JSON.parse(document.getElementById("report-data").textContent);

function el(tag, properties, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** What a method is, in words, for whoever points at its name. */
const about = (method) => report.methodWords?.[method] ?? null;

const byId = (id) => document.getElementById(id);

/** .87 as in the paper; a dash where there is no number. */
function share(value) {
  if (value === null || value === undefined) return "–";
  return value
    .toFixed(2)
    .replace("-0.00", "0.00")
    .replace(/^(-?)0\./, "$1.");
}

const percent = (value) => (value === null || value === undefined ? "–" : `${Math.round(100 * value)} %`);

function duration(seconds) {
  const [factor, unit] = seconds < 1e-3 ? [1e6, "µs"] : seconds < 1 ? [1e3, "ms"] : [1, "s"];
  return `${Number((seconds * factor).toPrecision(2))} ${unit}`;
}

const pValue = (p) => (p < 0.001 ? "p < .001" : `p = ${p.toFixed(3).replace("0.", ".")}`);

const count = (number) => number.toLocaleString("en");

const plural = (number, one, many = `${one}s`) => `${count(number)} ${number === 1 ? one : many}`;

function option(value, label, selected) {
  return el("option", { value, selected: value === selected }, label);
}

/** A row of buttons of which one is pressed. */
function segmented(label, choices, chosen, choose) {
  const buttons = choices.map(([value, text]) =>
    el("button", { type: "button", "aria-pressed": String(value === chosen), onclick: () => choose(value) }, text),
  );
  return el("div", { class: "segmented", role: "group", "aria-label": label }, ...buttons);
}
