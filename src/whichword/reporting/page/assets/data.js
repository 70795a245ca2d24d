// Packed data: base64 and deflate, inflated when it is first needed.

const ARRAYS = { u1: Uint8Array, i1: Int8Array, u2: Uint16Array, u4: Uint32Array, i4: Int32Array, f4: Float32Array };
const blobs = new Map();

function bytesOf(base64) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
  const text = atob(base64);
  return Uint8Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
}

async function inflate(name) {
  const packed = new Blob([bytesOf(byId(`blob/${name}`).textContent)]);
  return new Response(packed.stream().pipeThrough(new DecompressionStream("deflate"))).arrayBuffer();
}

function once(key, make) {
  if (!blobs.has(key)) blobs.set(key, make());
  return blobs.get(key);
}

/** An array of numbers; Python wrote it little-endian, as every browser's machine reads it. */
const numbers = (name, kind) => once(name, async () => new ARRAYS[kind](await inflate(name)));

const json = (name) => once(name, async () => JSON.parse(new TextDecoder().decode(await inflate(name))));

const bit = (flags, index) => (flags[index >> 3] >> (index & 7)) & 1;

/** Where each document begins when they stand end to end. */
function offsets(lengths) {
  const starts = new Uint32Array(lengths.length + 1);
  for (let i = 0; i < lengths.length; i++) starts[i + 1] = starts[i] + lengths[i];
  return starts;
}

/** The smallest numbers that count a list. */
const kindFor = (list) => (list.length <= 256 ? "u1" : list.length <= 65536 ? "u2" : "u4");

/** The documents of a set, as all models on it share them. */
const setData = (name) =>
  once(`set ${name}`, async () => {
    const [vocabulary, between] = await Promise.all([json("words"), json("gaps")]);
    const words = await numbers(`${name}/words`, kindFor(vocabulary));
    const gaps = await numbers(`${name}/gaps`, kindFor(between));
    const lengths = await numbers(`${name}/lengths`, "u4");
    const [keys, gold, facts] = await Promise.all(["keys", "gold", "facts"].map((part) => json(`${name}/${part}`)));
    return { vocabulary, words, between, gaps, lengths, keys, gold, facts, starts: offsets(lengths) };
  });

/** What one model says of them. */
const pairingData = (view) =>
  once(`pairing ${view.name}`, async () => {
    const get = (part, kind) => numbers(`${view.name}/${part}`, kind);
    const parts = view.columns.map(async (_, i) => ({
      right: await get(`right/${i}`, "u1"),
      hits: await get(`hits/${i}`, "u1"),
    }));
    return {
      documents: await setData(view.set),
      predicted: await get("predicted", "u2"),
      probability: await get("probability", "f4"),
      unknown: await get("unknown", "u1"),
      seen: await get("seen", "u4"),
      rmax: await get("rmax", "i4"),
      largest: await get("largest", "f4"),
      notes: await json(`${view.name}/notes`),
      note: await get("note", "u4"),
      parts: await Promise.all(parts),
    };
  });

/** The levels of a document, method after method: Int8Array [M * T]. */
async function heatOf(view, row) {
  const { documents } = await pairingData(view);
  let chunk = view.starts.length - 1;
  while (view.starts[chunk] > row) chunk--;
  const levels = await numbers(`${view.name}/heat/${chunk}`, "i1");
  const begin = (documents.starts[row] - documents.starts[view.starts[chunk]]) * view.methods.length;
  return levels.subarray(begin, begin + documents.lengths[row] * view.methods.length);
}
