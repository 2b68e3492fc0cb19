"""Opens texts that would end MLIR's parser, and then one that is well. Prints what it is told."""
from lsp_client import Editor

editor = Editor("/tmp/nothing.mlir", "module {" * 6000)
editor.say_diagnostics()
for text in ("module attributes {t.a = array<index: 1>} {}",
             'func.func @f(%a: tensor<2xf32>) { "ttnn.deallocate"(%a) <{force = array<index: 1>}> : (tensor<2xf32>) -> () return }',
             "module attributes {t.a = " + "[" * 6000 + "} {}"):
    editor.change(text)
    editor.say_diagnostics()
    print("hover", editor.hover("func.func @f" if "func.func" in text else "module attributes"))
editor.change("module {}")
print("mended:", len(editor.diagnostics()), "diagnostics")
editor.leave()
