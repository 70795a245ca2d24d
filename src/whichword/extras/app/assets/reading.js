// One explained text: what the model says, its words, and a heat map per method.

const MANY = 4000; // words on the page: then rows out of sight are not laid out
const NAMED = 5; // changed words that are named

/** A model that knows few of the words says little about the text. */
function unknownWarning({ words, unknown }) {
  if (2 * unknown.length <= words.length) return [];
  const all = unknown.length === words.length ? "No word of this text is known" : `${unknown.length} of ${plural(words.length, "word")} are unknown`;
  return [el("p", { class: "warning panel", role: "note" }, `${all} to the model: what it says of them is little more than a guess.`)];
}

class Reading {
  /** `said`: what the server tells first; `methods`: those that will follow; `does`: what buttons call. */
  constructor(said, methods, does) {
    this.said = said;
    this.methods = methods;
    this.edits = new Map();
    this.unknown = new Set(said.unknown);
    this.scores = new Scores(said, does.explainClass);
    this.words = new Words(said.words, said.gaps, this.unknown, (t, kind) => this.edit(t, kind));
    this.effect = el("p", { class: "effect", "aria-live": "polite" });
    this.restore = el("button", { type: "button", class: "plain", hidden: true, onclick: () => this.reset() }, "restore all");
    this.left = el("button", { type: "button", class: "plain", hidden: true, onclick: () => does.explainLeft(this) }, "explain what is left");
    this.cards = new Map(methods.map((name) => [name, pendingCard(name)]));
    const copies = el("span", { class: "copies" }, "copy as ", ...copyButtons(this));
    this.node = el(
      "article",
      { class: said.words.length * methods.length > MANY ? "reading many" : "reading" },
      ...unknownWarning(said),
      el("div", { class: "panel" }, this.scores.node),
      el(
        "div",
        { class: "panel words-panel" },
        el("div", { class: "bar-line" }, el("span", { class: "hint" }, "Click a word to ", modeSwitch(), " it"), el("span", {}, this.restore, this.left), copies),
        this.words.node,
        said.unread ? el("p", { class: "note unread-note" }, said.unread) : null,
        this.effect,
      ),
      ...this.cards.values(),
    );
    this.node.style.setProperty("--rows", 2 + methods.length);
    this.node.addEventListener("click", (event) => {
      const word = event.target.closest("[data-t]");
      if (word) this.edit(Number(word.dataset.t), editing.mode);
    });
    followPointer(this.node);
  }

  /** A method's answer: the card is filled. */
  add(answer, seconds) {
    const card = this.cards.get(answer.method);
    const { words, gaps } = this.said;
    const largest = Math.max(0, ...answer.phi.map((value) => Math.abs(value ?? 0)));
    const marks = { rmax: answer.rmax, right: () => false, unknown: (t) => this.unknown.has(t), unread: (t) => t >= this.said.seen };
    const map = heatMap(words, gaps, answer.levels, largest, marks);
    for (const span of map.querySelectorAll("[data-t]")) span.title = REMARKS[span.dataset.level] ?? String(answer.phi[span.dataset.t]);
    card.classList.remove("pending");
    const top = answer.rmax === null ? [] : [el("b", { dir: "auto" }, words[answer.rmax].slice(0, 24)), " · "];
    card.querySelector("small").replaceChildren(...top, duration(seconds));
    card.querySelector(".body").replaceChildren(map, ...(answer.note ? [el("p", { class: "note" }, answer.note)] : []));
    for (const [t, kind] of this.edits) this.mark(t, kind);
  }

  /** No more will come: what is still pending was stopped. */
  end() {
    for (const card of this.node.querySelectorAll(".pending")) card.remove();
  }

  get done() {
    return this.methods.filter((name) => !this.cards.get(name).classList.contains("pending") && this.cards.get(name).isConnected);
  }

  /** The text, without the words that are cut: each takes along what stands before it. */
  text(without = new Map()) {
    const { words, gaps } = this.said;
    const left = words.map((_, t) => t).filter((t) => without.get(t) !== "cut");
    return left.map((t, i) => gaps[i ? t : 0] + words[t]).join("") + gaps[words.length];
  }

  edit(t, kind) {
    const next = this.edits.get(t) === kind ? undefined : kind;
    if (next) this.edits.set(t, next);
    else this.edits.delete(t);
    this.mark(t, next);
    this.ask();
  }

  reset() {
    for (const t of this.edits.keys()) this.mark(t, undefined);
    this.edits.clear();
    this.ask();
  }

  mark(t, kind) {
    this.words.mark(t, kind);
    for (const span of this.node.querySelectorAll(`[data-t="${t}"]`)) {
      for (const name of Object.keys(EDITS)) span.classList.toggle(name, name === kind);
    }
  }

  positions(kind) {
    return [...this.edits].filter(([, how]) => how === kind).map(([t]) => t).sort((a, b) => a - b);
  }

  /** What does the model say now? Only the last question counts. */
  async ask() {
    this.asking?.abort();
    this.asking = new AbortController();
    this.restore.hidden = !this.edits.size;
    this.left.hidden = !this.positions("cut").length || this.positions("blank").length > 0 || this.positions("cut").length === this.said.words.length;
    if (!this.edits.size) return this.show(this.said);
    const question = { result: this.said.result, cut: this.positions("cut"), blank: this.positions("blank") };
    try {
      this.show(await askFor("/api/edit", question, this.asking.signal));
      complain(null);
    } catch (error) {
      if (!ended(error)) complain(error);
    }
  }

  show(now) {
    this.scores.show(now);
    const { target, scores } = this.said;
    if (now === this.said) return this.effect.replaceChildren();
    const numbers = `${score(scores[target])} → ${score(now.scores[target])} (${signed(now.scores[target] - scores[target])})`;
    this.effect.replaceChildren(this.changes(), el("span", { dir: "auto" }, target), " ", el("strong", {}, numbers));
  }

  changes() {
    const lines = [["cut", "without"], ["blank", "masked"]].map(([kind, verb]) => {
      const named = this.positions(kind).map((t) => `“${this.said.words[t].slice(0, 40)}”`);
      const more = named.length > NAMED ? ` and ${named.length - NAMED} more` : "";
      return named.length ? `${verb} ${named.slice(0, NAMED).join(", ")}${more}` : null;
    });
    return el("bdi", {}, `${lines.filter(Boolean).join("; ")}: `);
  }
}

function pendingCard(name) {
  return el("section", { class: "map pending", "data-method": name }, el("h4", {}, el("code", { title: about(name) }, name), el("small", {})), el("div", { class: "body" }, el("div", { class: "shimmer" })));
}
