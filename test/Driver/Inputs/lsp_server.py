"""Opens a file with a mistake, mends it, asks what the things in it are and where they come from. Prints what it is told."""
import sys

from lsp_client import Editor, place

editor = Editor(sys.argv[1])
print("offers", *(name for name in ("hoverProvider", "definitionProvider") if editor.capabilities.get(name)))
editor.say_diagnostics()
editor.change(editor.text.replace("dimension = 7", "dimension = 1"))
print("mended:", len(editor.diagnostics()), "diagnostics")
for words in ('%1 = "ttnn.softmax', "tensor<64x64xbf16, #ttnn_layout"):
    print("hover", editor.hover(words))
for words in ("return %1", "tensor<64x64xbf16, #ttnn_layout"):
    for location in editor.request("textDocument/definition", **editor.at(words)):
        print("definition of", words.split()[-1], "at", place(location["range"]["start"]))
editor.leave()
