"""Writes the CSV examples of a page as 0.csv, 1.csv ... into a folder: csv_examples.py PAGE FOLDER."""
import pathlib, re, sys

page, folder = map(pathlib.Path, sys.argv[1:])
folder.mkdir(parents=True, exist_ok=True)
for i, text in enumerate(re.findall(r"```csv\n(.*?)```", page.read_text(), re.DOTALL)):
    (folder / f"{i}.csv").write_text(text)
