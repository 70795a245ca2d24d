"""Somebody's model behind HTTP: here a server in a thread. Run me: python examples/models/http_api.py"""

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.request import Request, urlopen

import whichword


class Service(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        texts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        answer = json.dumps([[0.1, 0.9] if "great" in text else [0.7, 0.3] for text in texts]).encode()
        self.send_response(200)
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: object) -> None:
        """Nothing."""


def probabilities(texts: list[str]) -> list[list[float]]:
    request = Request(f"http://127.0.0.1:{server.server_port}", json.dumps(texts).encode())
    return json.load(urlopen(request, timeout=10))


with HTTPServer(("127.0.0.1", 0), Service) as server:
    threading.Thread(target=server.serve_forever, daemon=True).start()
    model = whichword.wrap(probabilities, classes=["bad", "good"], most=1000)
    print(
        whichword.explain(model, ["a really great film"], ["omit_1", "limsse_ms_p"])[0].relevance, model.texts, "texts"
    )
    server.shutdown()
