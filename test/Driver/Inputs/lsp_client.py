"""An editor, as tessera-lsp-server sees it: opens a file with a mistake, mends it, asks what the things in it are and where
they come from. Prints what it is told."""
import json
import pathlib
import subprocess
import sys


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


file = pathlib.Path(sys.argv[1])
text = file.read_text()
uri = file.resolve().as_uri()
client = Client(["tessera-lsp-server"])
capabilities = client.request("initialize", processId=None, rootUri=None, capabilities={})["capabilities"]
print("offers", *(name for name in ("hoverProvider", "definitionProvider") if capabilities.get(name)))
client.notify("initialized")

client.notify("textDocument/didOpen", textDocument={"uri": uri, "languageId": "mlir", "version": 1, "text": text})
for diagnostic in client.diagnostics():
    print("diagnostic", place(diagnostic["range"]["start"]), diagnostic["message"])
text = text.replace("dimension = 7", "dimension = 1")
client.notify("textDocument/didChange", textDocument={"uri": uri, "version": 2}, contentChanges=[{"text": text}])
print("mended:", len(client.diagnostics()), "diagnostics")


def at(words):
    """The place of the last of the words, which stand in a row."""
    start = text.index(words) + words.rindex(" ") + 1
    before = text[:start].split("\n")
    return {"textDocument": {"uri": uri}, "position": {"line": len(before) - 1, "character": len(before[-1])}}


for words in ('%1 = "ttnn.softmax', "tensor<64x64xbf16, #ttnn_layout"):
    print("hover", client.request("textDocument/hover", **at(words))["contents"]["value"])
for words in ("return %1", "tensor<64x64xbf16, #ttnn_layout"):
    for location in client.request("textDocument/definition", **at(words)):
        print("definition of", words.split()[-1], "at", place(location["range"]["start"]))
client.request("shutdown")
client.notify("exit")
print("exit code", client.server.wait())
