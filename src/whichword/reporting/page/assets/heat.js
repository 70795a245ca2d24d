// Heat maps as in the paper: colour for relevance, bold for rmax, underlined for ground truth, italic for unknown.

const FULL = report.steps; // the level of the largest relevance
const REMARKS = { 127: "nan", 126: "inf", "-126": "-inf" };
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** phi' = phi / (1.1 max|phi|), as a colour over the page; null where there is none. */
function tint(level) {
  if (level === 0 || REMARKS[level]) return null;
  const [positive, negative] = report.palettes[document.documentElement.dataset.palette ?? "paper"];
  const [red, green, blue] = level > 0 ? positive : negative;
  return `rgba(${red},${green},${blue},${(Math.abs(level) / FULL / 1.1).toFixed(3)})`;
}

function wordSpan(word, t, level, largest, marks) {
  const span = el("span", { "data-t": t, "data-level": level }, word);
  const colour = tint(level);
  if (colour) span.style.background = colour;
  span.title = REMARKS[level] ?? `≈ ${Number(((level / FULL) * largest).toPrecision(3))}`;
  if (REMARKS[level]) span.classList.add("broken");
  if (marks.rmax === t) span.classList.add("rmax");
  if (marks.right(t)) span.classList.add("right");
  if (marks.unknown(t)) span.classList.add("unknown");
  if (marks.unread(t)) {
    span.classList.add("unread");
    span.title = "behind the model's longest input: not read";
  }
  if (BIDI.test(word)) span.dir = "auto"; // such a word is kept to itself; others must not be
  return span;
}

/** What stands between words, as a node; one with bidi controls is kept to itself. */
const gapNode = (gap) => (BIDI.test(gap) ? el("bdi", {}, gap) : document.createTextNode(gap));

/** Fill a node with words and, around them, the gaps of their text: it then shows the text as it was written. */
function weave(node, spans, gaps) {
  gaps.forEach((gap, t) => {
    if (gap) node.append(gapNode(gap));
    if (t < spans.length) node.append(spans[t]);
  });
  return node;
}

/** One span per word, in the text. */
function heatMap(words, gaps, levels, largest, marks) {
  const spans = words.map((word, t) => wordSpan(word, t, levels[t], largest, marks));
  return weave(el("div", { class: "heat", dir: "auto" }), spans, gaps);
}

/** Other colours, same words. */
function repaint() {
  for (const span of document.querySelectorAll(".heat > span")) {
    span.style.background = tint(Number(span.dataset.level)) ?? "";
  }
}

/** The word under the pointer stands out in every row. */
function followPointer(root) {
  const mark = (t) => {
    for (const old of root.querySelectorAll(".here")) old.classList.remove("here");
    if (t !== undefined) for (const span of root.querySelectorAll(`span[data-t="${t}"]`)) span.classList.add("here");
  };
  root.addEventListener("pointerover", (event) => mark(event.target.closest("span[data-t]")?.dataset.t));
  root.addEventListener("pointerleave", () => mark(undefined));
}
