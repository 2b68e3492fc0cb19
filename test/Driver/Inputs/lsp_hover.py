"""Opens a module and prints what a hover says over the last word of each text. usage: lsp_hover.py FILE WORDS..."""
import sys

from lsp_client import Editor

editor = Editor(sys.argv[1])
for words in sys.argv[2:]:
    print(f"hover over {words.split()[-1]}:", editor.hover(words))
editor.leave()
