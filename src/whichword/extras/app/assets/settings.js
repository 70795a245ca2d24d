// Light, dark and colours: remembered where the browser allows it, under the report's names.

function remembered(name) {
  try {
    return localStorage.getItem(`whichword ${name}`);
  } catch {
    return null;
  }
}

function remember(name, value) {
  try {
    localStorage.setItem(`whichword ${name}`, value);
  } catch {
    // it holds until the page is closed
  }
}

/** A button that goes back and forth between two values of an attribute of the page. */
function toggle(name, values, initial, changed) {
  const root = document.documentElement;
  const button = byId(name);
  const set = (value) => {
    root.dataset[name] = value;
    button.setAttribute("aria-pressed", String(value === values[1]));
    changed();
  };
  set(values.includes(remembered(name)) ? remembered(name) : initial);
  button.addEventListener("click", () => {
    const next = values[root.dataset[name] === values[0] ? 1 : 0];
    remember(name, next);
    set(next);
  });
}

function settings() {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  toggle("theme", ["light", "dark"], dark ? "dark" : "light", () => {});
  toggle("palette", ["paper", "colour-blind"], "paper", repaint);
}
