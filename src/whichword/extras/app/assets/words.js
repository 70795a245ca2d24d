// The words of a text as things to press: deleted, masked, and back.

const EDITS = { cut: "deleted", blank: "masked" };

const editing = { mode: "cut", drawn: [] };

/** Which of the two a click does; every text on the page has this switch. */
function modeSwitch() {
  const place = el("span", {});
  const draw = () =>
    place.replaceChildren(
      segmented("a click on a word", [["cut", "delete"], ["blank", "mask"]], editing.mode, (mode) => {
        editing.mode = mode;
        for (const again of editing.drawn) again();
      }),
    );
  editing.drawn.push(draw);
  draw();
  return place;
}

/** One focusable word per position, in the text as it was written; arrows move, Enter or a click edits, Delete deletes, m masks. */
class Words {
  constructor(words, gaps, unknown, edit) {
    this.edit = edit;
    this.spans = words.map((word, t) => this.span(word, t, unknown.has(t)));
    this.node = weave(el("div", { class: "words", dir: "auto", role: "group", "aria-label": "words of the text" }), this.spans, gaps);
    this.spans[0].tabIndex = 0;
    this.node.addEventListener("keydown", (event) => this.key(event));
  }

  span(word, t, unknown) {
    const span = el("span", { "data-t": t, role: "button", tabindex: -1, "aria-pressed": "false", class: unknown ? "unknown" : null }, word);
    if (BIDI.test(word)) span.dir = "auto";
    return span;
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const t = Number(event.target.dataset.t);
    const forwards = getComputedStyle(this.node).direction === "rtl" ? -1 : 1;
    const moves = { ArrowRight: t + forwards, ArrowLeft: t - forwards, ArrowDown: t + 1, ArrowUp: t - 1, Home: 0, End: this.spans.length - 1 };
    const edits = { Enter: editing.mode, " ": editing.mode, Delete: "cut", Backspace: "cut", m: "blank" };
    if (event.key in moves) this.focus(moves[event.key]);
    else if (event.key in edits) this.edit(t, edits[event.key]);
    else return;
    event.preventDefault();
  }

  focus(t) {
    const next = this.spans[Math.min(this.spans.length - 1, Math.max(0, t))];
    this.node.querySelector('[tabindex="0"]').tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }

  mark(t, kind) {
    this.spans[t].setAttribute("aria-pressed", String(Boolean(kind)));
    if (kind) this.spans[t].setAttribute("aria-label", `${this.spans[t].textContent}, ${EDITS[kind]}`);
    else this.spans[t].removeAttribute("aria-label");
  }
}
