// Where it holds: the chosen methods in parts of the documents.

function drawSlices() {
  const { slices } = column();
  const names = Object.keys(slices);
  const telling = names.find((name) => slices[name].some((slice) => slice.documents >= report.few));
  const chosen = names.includes(state.slice) ? state.slice : (telling ?? names[0]);
  const pick = segmented(
    "sliced by",
    names.map((name) => [name, name]),
    chosen,
    (slice) => update({ slice }),
  );
  byId("slice-by").replaceChildren(names.length ? pick : "");
  if (!names.length) byId("slices-chart").replaceChildren(el("p", { class: "empty" }, "Nothing to slice by."));
  const few = names.length ? slices[chosen].filter((slice) => slice.documents < report.few) : [];
  const many = names.length ? slices[chosen].filter((slice) => slice.documents >= report.few) : [];
  const draw = (id, some) => sliceChart(id, some, chosenMethods().slice(0, 6), pairing().methods);
  if (many.length) draw("slices-chart", many);
  else if (names.length) byId("slices-chart").replaceChildren(el("p", { class: "empty" }, `No slice has ${report.few} documents.`));
  foldSlices(few, draw);
}

/** Slices with hardly any documents are drawn when somebody unfolds them. */
function foldSlices(few, draw) {
  const fold = byId("slices-few");
  fold.hidden = !few.length;
  fold.querySelector("summary").textContent = `${plural(few.length, "slice")} with fewer than ${report.few} documents`;
  fold.ontoggle = () => fold.open && few.length && draw("slices-few-chart", few);
  fold.ontoggle();
}
