"""Asks a shell, with tessera's completion script in it, what can stand for the last word of a command line. Prints one
candidate per line.

    completion.py bash|zsh|fish 'tessera optimize --pol'
"""
import subprocess
import sys

# zsh completes in its line editor only, so what the script calls there is replaced by what prints.
ZSH = """
compdef() {}
_describe() { print -l -- "${(@P)2}" }
_files() { print ./*(N) }
"""


def ask_bash(script, words):
    quoted = " ".join(f"'{word}'" for word in words)
    return script + f'COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _tessera; printf "%s\\n" "${{COMPREPLY[@]}}"'


def ask_zsh(script, words):
    quoted = " ".join(f"'{word}'" for word in words)
    return ZSH + script + f"words=({quoted}); CURRENT={len(words)}; _tessera"


def ask_fish(script, words):
    return script + f"complete -C '{' '.join(words)}'"


SHELLS = {
    "bash": (["bash", "--norc", "-c"], ask_bash),
    "zsh": (["zsh", "-f", "-c"], ask_zsh),
    "fish": (["fish", "--no-config", "-c"], ask_fish),
}

shell, line = sys.argv[1:3]
script = subprocess.run(["tessera", "completion", shell], check=True, capture_output=True, text=True).stdout
command, ask = SHELLS[shell]
subprocess.run(command + [ask(script, line.split(" "))], check=True)
