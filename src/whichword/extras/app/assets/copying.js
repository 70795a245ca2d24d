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
    if (!coloured(text, form)) await navigator.clipboard.writeText(text).catch(() => byHand(text));
    complain(null);
    flash(button);
  } catch (error) {
    complain(error);
  }
}

/**
 * HTML also as formatted text: pasted into a letter it is coloured, into an editor it is source. The newer way,
 * ClipboardItem, would take the colours out, since this page's policy allows no styles in text.
 */
function coloured(text, form) {
  if (form !== "html") return false;
  const fill = (event) => {
    event.clipboardData.setData("text/plain", text);
    event.clipboardData.setData("text/html", text);
    event.preventDefault();
  };
  document.addEventListener("copy", fill);
  const done = document.execCommand("copy");
  document.removeEventListener("copy", fill);
  return done;
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
