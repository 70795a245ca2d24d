// What the model says of a text: a bar per class, and how it moves when words are taken out.

const FEW_CLASSES = 6;

const signed = (value) => (value > 0 ? `+${value.toFixed(2)}` : value.toFixed(2).replace("-", "−"));

const score = (value) => (value === null ? "–" : value.toFixed(2).replace("-", "−"));

const best = (values) => Object.entries(values).reduce((a, b) => (b[1] > a[1] ? b : a))[0]; // the first maximum

/** Bars for the classes; `show` moves them. */
class Scores {
  constructor(said, explainClass) {
    this.said = said;
    this.all = false;
    this.explainClass = explainClass;
    const ranked = Object.keys(said.scores).sort((a, b) => said.probabilities[b] - said.probabilities[a]);
    this.rows = new Map(ranked.map((name) => [name, this.row(name)]));
    this.more = el("button", { type: "button", class: "plain", onclick: () => this.toggle() });
    this.head = el("p", { class: "predicted" });
    const titles = ["", "", "probability", "score", "change"].map((title) => el("span", {}, title));
    const table = el("div", { class: "classes", role: "list" }, el("div", { class: "class-row titles", "aria-hidden": "true" }, ...titles), ...this.rows.values());
    this.node = el("div", { class: "scores" }, this.head, table, this.more);
    this.show(said);
  }

  row(name) {
    const explained = name === this.said.target;
    const title = explained ? "the class that is explained" : "explain this class";
    const label = el("button", { type: "button", class: "class-name", dir: "auto", title, "aria-current": explained ? "true" : null, onclick: () => this.explainClass(name) }, name);
    const row = el(
      "div",
      { class: "class-row", role: "listitem", "data-class": name },
      label,
      el("span", { class: "bar", "aria-hidden": "true" }, el("i", { class: "before" }), el("i", { class: "now" })),
      el("span", { class: "probability" }),
      el("span", { class: "score" }),
      el("span", { class: "change" }),
    );
    row.querySelector(".before").style.width = width(this.said.probabilities[name]);
    return row;
  }

  /** `now` has scores and probabilities of an edited copy, or of the text itself. */
  show(now) {
    this.now = now;
    this.node.classList.toggle("changed", now !== this.said);
    for (const [name, row] of this.rows) {
      const change = now.scores[name] - this.said.scores[name];
      row.querySelector(".now").style.width = width(now.probabilities[name]);
      row.querySelector(".probability").textContent = percent(now.probabilities[name]);
      row.querySelector(".score").textContent = score(now.scores[name]);
      const moved = row.querySelector(".change");
      moved.textContent = now === this.said ? "" : signed(change);
      moved.className = `change ${change > 0 ? "up" : change < 0 ? "down" : ""}`;
    }
    this.title();
    this.arrange();
  }

  title() {
    const before = this.said.predicted;
    const after = best(this.now.scores);
    const chance = el("small", {}, ` ${percent(this.now.probabilities[after])}`);
    const was = after === before ? [] : [el("s", {}, before), " "];
    const other = this.said.target === after ? [] : [el("span", { class: "explained" }, "explained ", el("b", { dir: "auto" }, this.said.target))];
    this.head.replaceChildren("predicted ", ...was, el("strong", { dir: "auto" }, after), chance, ...other);
  }

  toggle() {
    this.all = !this.all;
    this.arrange();
  }

  /** The likeliest classes before and after, and the explained one. */
  arrange() {
    const names = [...this.rows.keys()];
    const highest = (name) => Math.max(this.said.probabilities[name], this.now.probabilities[name]);
    const ranked = [...names].sort((a, b) => highest(b) - highest(a));
    const shown = new Set(names.length <= FEW_CLASSES + 1 || this.all ? names : [...ranked.slice(0, FEW_CLASSES), this.said.target]);
    for (const [name, row] of this.rows) row.hidden = !shown.has(name);
    this.more.hidden = names.length <= FEW_CLASSES + 1;
    this.more.textContent = this.all ? "fewer classes" : `all ${names.length} classes`;
  }
}

const width = (probability) => `${(100 * (probability ?? 0)).toFixed(2)}%`;
