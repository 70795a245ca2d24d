// Talking to the server that sent this page, and to no other.

async function post(address, question, signal) {
  const answer = await fetch(address, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(question),
    signal,
  });
  return checked(answer);
}

async function checked(answer) {
  if (answer.ok) return answer;
  const said = await answer.json().catch(() => ({}));
  throw new Error(said.error ?? `the server says ${answer.status}`);
}

const askFor = async (address, question, signal) => (await post(address, question, signal)).json();

const get = async (address) => (await checked(await fetch(address))).json();

/** Lines of JSON as they come. */
async function* streamed(address, question, signal) {
  const answer = await post(address, question, signal);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) yield JSON.parse(line);
  }
}

function complain(error) {
  const line = byId("error");
  line.hidden = !error;
  line.textContent = error?.message ?? "";
}

const ended = (error) => error.name === "AbortError"; // by us
