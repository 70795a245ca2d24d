// Copies for somewhere else, made by the server: the same renderer as in the notebook and the terminal.

const FORMS = { html: "HTML", json: "JSON", latex: "LaTeX" };

function copyButtons(reading) {
  return Object.entries(FORMS).map(([form, name]) =>
    el("button", { type: "button", class: "plain", "data-form": form, onclick: (event) => copy(reading, form, event.currentTarget) }, name),
  );
}

async function copy(reading, form, button) {
  const { palette } = document.documentElement.dataset;
  const question = { result: reading.said.result, form, methods: reading.done, palette };
  try {
    const { text } = await askFor("/api/copy", question);
    await toClipboard(text, form).catch(() => byHand(text));
    complain(null);
    flash(button);
  } catch (error) {
    complain(error);
  }
}

/** HTML also as formatted text: pasted into a letter, it is coloured; into an editor, it is source. */
async function toClipboard(text, form) {
  if (form !== "html" || !window.ClipboardItem) return navigator.clipboard.writeText(text);
  const item = new ClipboardItem({
    "text/plain": new Blob([text], { type: "text/plain" }),
    "text/html": new Blob([text], { type: "text/html" }),
  });
  return navigator.clipboard.write([item]);
}

function byHand(text) {
  byId("by-hand-text").value = text;
  byId("by-hand").showModal();
  byId("by-hand-text").select();
}

function flash(button) {
  button.classList.add("copied");
  setTimeout(() => button.classList.remove("copied"), 1200);
}
