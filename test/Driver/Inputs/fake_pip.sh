#!/bin/sh
# A Python that makes environments (`-m venv FOLDER`) of which pip fails, saying $FAKE_PIP.
case "$*" in
  "-m venv "*) mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
  *) echo "$FAKE_PIP" >&2; exit 1 ;;
esac
