// The runs: what was played, what it advises, the report, and their texts to try.

function runCards() {
  byId("runs").hidden = !report.runs.length;
  byId("to-runs").hidden = !report.runs.length;
  const cards = report.runs.map(runCard);
  byId("run-cards").replaceChildren(...cards.map((card) => card.node));
  const seen = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    seen.disconnect();
    adviseAll(cards);
  });
  seen.observe(byId("runs"));
}

/** Advice takes a moment to compute: one run after the other, once somebody looks. */
async function adviseAll(cards) {
  for (const card of cards) await card.advise();
}

const asked = new Map();

/** What a run advises, asked for once. */
function adviceOf(number) {
  if (!asked.has(number)) asked.set(number, get(`/api/runs/${number}`));
  return asked.get(number);
}

/** A run's card, and a function that completes it. */
function runCard(run, number) {
  const advice = el("div", { class: "advice" }, el("p", { class: "case" }, "…"));
  const take = el("button", { type: "button", class: "quiet", disabled: true }, "Try one of its texts");
  const node = el(
    "article",
    { class: "card run" },
    el("p", { class: "choice" }, run.label),
    el("ul", { class: "figures" }, ...run.pairings.map((pairing) => el("li", {}, pairingLine(pairing)))),
    advice,
    el("p", { class: "acts" }, el("a", { href: `/runs/${number}/opening`, target: "_blank", rel: "noopener" }, "Open the report"), report.models.length ? take : null),
  );
  const complete = () =>
    adviceOf(number)
      .then((advised) => advise(advice, take, run, advised))
      .catch((error) => advice.replaceChildren(el("p", { class: "case" }, error.message)));
  return { node, advise: complete };
}

const pairingLine = (pairing) => `${pairing.model} on ${pairing.corpus}, ${pairing.game}: ${plural(pairing.documents, "document")}, ${plural(pairing.methods, "method")}`;

function advise(place, take, run, { advice, examples }) {
  place.replaceChildren(
    ...advice.map((entry) =>
      el("details", {}, el("summary", {}, entry.headline), el("ul", {}, ...entry.reasons.map((reason) => el("li", {}, reason)))),
    ),
  );
  let next = 0;
  take.disabled = !examples.length || !report.models.length;
  take.addEventListener("click", () => tryText(run, examples[next++ % examples.length]));
}

/** Into the first field, before the run's own model if it is on the shelf. */
function tryText(run, { words, text, corpus }) {
  const played = run.pairings.filter((pairing) => pairing.corpus === corpus).map((pairing) => pairing.model);
  const fits = report.models.findIndex((candidate) => played.includes(candidate.label));
  if (fits >= 0 && !played.includes(model().label)) {
    byId("model").value = String(fits);
    byId("model").dispatchEvent(new Event("input"));
  }
  fields[0].fill(text ?? words.join(" "), words);
  byId("explain").scrollIntoView({ block: "start" });
  explainAll();
}
