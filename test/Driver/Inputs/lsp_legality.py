"""Opens a module, prints what is wrong with it and what hovers say of an op that runs, one that does not, a result, an argument, and a word that is
none of these."""
import sys

from lsp_client import Editor

editor = Editor(sys.argv[1])
editor.say_diagnostics()
for words in ('%0 = "ttnn.matmul', '%2 = "ttnn.matmul', "(!d, !d) -> !d\n    %1", "@main(%arg0: !d, %arg1", "func.func"):
    print(f"hover over {words.split()[-1]}:", editor.hover(words))
editor.leave()
