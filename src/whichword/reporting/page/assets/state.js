// What is looked at, in one object; it is also the address after #, so that every view can be linked to.

const MEMBERS = {
  view: "", // the pairing
  part: "", // of its game
  methods: "", // that are stacked and compared, by name
  doc: "", // the key of the open document
  hit: "",
  miss: "",
  class: "",
  said: "", // correct or wrong
  min: "",
  max: "",
  fact: "", // name=value
  q: "",
  sort: "",
  pairs: "", // agreement by rank correlation or same rmax
  slice: "",
};

const state = { ...MEMBERS };
const listeners = [];
const SEPARATOR = ";"; // stands in no name of a method

/** Call when one of these members changes. */
function watch(names, listener) {
  listeners.push({ names, listener });
}

function update(changes) {
  const changed = Object.keys(changes).filter((name) => state[name] !== changes[name]);
  Object.assign(state, changes);
  if (!changed.length) return;
  for (const { names, listener } of listeners) {
    if (names.some((name) => changed.includes(name))) listener();
  }
  remember();
}

/** What differs from the defaults, as it stands after #. */
const address = (members) =>
  new URLSearchParams(Object.entries(members).filter(([name, value]) => value !== MEMBERS[name])).toString();

function remember() {
  try {
    history.replaceState(null, "", `#${address(state)}`);
  } catch {
    // some browsers ration this; the view is right without it, only its address is late
  }
}

/** The state that an address describes; one without "=" is the name of a section. */
function recall(hash) {
  const read = hash.includes("=") ? new URLSearchParams(hash.slice(1)) : new URLSearchParams();
  return Object.fromEntries(Object.keys(MEMBERS).map((name) => [name, read.get(name) ?? MEMBERS[name]]));
}

const pairing = () => report.pairings.find((one) => one.name === state.view) ?? report.pairings[0];

const partNumber = () =>
  Math.max(
    0,
    pairing().columns.findIndex((one) => one.part === state.part),
  );

const column = () => pairing().columns[partNumber()];

const byAccuracy = (cells) => [...cells].sort((a, b) => (b.accuracy ?? -1) - (a.accuracy ?? -1));

/** The methods that are stacked: those asked for, else the three best and, for contrast, the worst. */
function chosenMethods() {
  const known = pairing().methods;
  const asked = state.methods.split(SEPARATOR).filter((name) => known.includes(name));
  if (asked.length) return asked;
  const ranked = byAccuracy(column().cells.filter((cell) => !cell.baseline)).map((cell) => cell.method);
  return [...new Set([...ranked.slice(0, 3), ...ranked.slice(-1)])];
}

function toggleMethod(name) {
  const chosen = chosenMethods();
  const next = chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name];
  if (next.length)
    update({
      methods: pairing()
        .methods.filter((one) => next.includes(one))
        .join(SEPARATOR),
    });
}
