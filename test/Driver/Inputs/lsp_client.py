"""An editor, as tessera-lsp-server sees it."""
import json
import pathlib
import subprocess


class Client:
    """Speaks JSON-RPC with a server on its standard input and output."""

    def __init__(self, command):
        self.server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.number = 0

    def send(self, **message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.server.stdin.flush()

    def receive(self):
        length = 0
        while line := self.server.stdout.readline().strip():
            name, _, value = line.partition(b": ")
            length = int(value) if name == b"Content-Length" else length
        return json.loads(self.server.stdout.read(length))

    def notify(self, method, **params):
        self.send(method=method, params=params)

    def request(self, method, **params):
        self.number += 1
        self.send(id=self.number, method=method, params=params)
        while (answer := self.receive()).get("id") != self.number:
            pass
        return answer["result"]

    def diagnostics(self):
        while (message := self.receive()).get("method") != "textDocument/publishDiagnostics":
            pass
        return message["params"]["diagnostics"]


def place(position):
    return f"{position['line'] + 1}:{position['character'] + 1}"


class Editor(Client):
    """With one file open."""

    def __init__(self, file, text=None):
        super().__init__(["tessera-lsp-server"])
        self.text = pathlib.Path(file).read_text() if text is None else text
        self.uri = pathlib.Path(file).resolve().as_uri()
        self.version = 1
        self.capabilities = self.request("initialize", processId=None, rootUri=None, capabilities={})["capabilities"]
        self.notify("initialized")
        self.notify("textDocument/didOpen", textDocument={"uri": self.uri, "languageId": "mlir", "version": 1, "text": self.text})

    def change(self, text):
        self.text = text
        self.version += 1
        self.notify("textDocument/didChange", textDocument={"uri": self.uri, "version": self.version}, contentChanges=[{"text": text}])

    def say_diagnostics(self):
        for diagnostic in self.diagnostics():
            print({1: "error", 2: "warning"}[diagnostic["severity"]], place(diagnostic["range"]["start"]), diagnostic["message"])

    def at(self, words):
        """The place of the last of the words, which stand in a row."""
        start = self.text.index(words) + words.rfind(" ") + 1
        before = self.text[:start].split("\n")
        return {"textDocument": {"uri": self.uri}, "position": {"line": len(before) - 1, "character": len(before[-1])}}

    def hover(self, words):
        answer = self.request("textDocument/hover", **self.at(words))
        return answer["contents"]["value"] if answer else "nothing"

    def leave(self):
        self.request("shutdown")
        self.notify("exit")
        print("exit code", self.server.wait())
