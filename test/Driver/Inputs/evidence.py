"""Checks the shipped rows against what 'tessera ops convert' writes of them, and of the published tables if these are there:
evidence.py EVIDENCE FACTS. The recorded runs are the traces SAMPLED of the published ones."""
import csv, json, pathlib, re, subprocess, sys

evidence, facts = map(pathlib.Path, sys.argv[1:])
scripts = evidence.parent / "scripts"
HARVESTED = ("deepseek_v32_perop.csv", "ds_fleet.csv", "perop_other.csv")
BY_HAND = ("attention_prefill.csv",)  # each row names the issue that it is from


def sampled(line):
    return int(line.split(",", 1)[0]) % 12 == 10


def converted(option, path):
    return subprocess.run(["tessera", "ops", "convert", option, path, "--out", "-"], check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL).stdout


def harvested(path):
    return subprocess.run([sys.executable, scripts / "harvest-timings", path], check=True, stdout=subprocess.PIPE).stdout


def demand(holds, path, what):
    if not holds:
        sys.exit(f"{path} is not {what}")


tables = [("--goldens", facts / "opmodel-goldens.csv", evidence / "goldens.csv")]
tables += [("--timings", facts / "perf" / path.name, path) for path in sorted((evidence / "timings").glob("*.csv"))]
for option, published, shipped in tables:
    demand(converted(option, shipped) == shipped.read_bytes(), shipped, "as it is written")
    if facts.exists() and shipped.name not in BY_HAND:
        rows = harvested(published) if shipped.name in HARVESTED else converted(option, published)
        demand(rows == shipped.read_bytes(), shipped, f"converted from {published}")
if facts.exists():
    for path in sorted((evidence / "allocator").glob("*.csv")):
        header, *lines = (facts / "allocator" / path.name).read_text().splitlines(keepends=True)
        if path.name.startswith("traces"):
            lines = filter(sampled, lines)
        demand(path.read_text() == header + "".join(lines), path, "the sample of the published runs")
    cases = [json.loads(file.read_text())["cases"] for file in (evidence / "merge-cases.json", facts / "deepseek-merge-cases.json")]
    demand(cases[0] == cases[1], evidence / "merge-cases.json", "what was published")
# The page's own figures: "| `library.csv` | 2919 |", "| `timings/a_n150.csv`, `_p150.csv` | 135 |".
for name, other, count in re.findall(r"^\| `([\w./-]+\.csv)`(?:, `(\w+\.csv)`)? \| (\d+) \|", (evidence / "README.md").read_text(), re.M):
    paths = [evidence / name] + ([evidence / (name.rpartition("_")[0] + other)] if other else [])
    rows = sum(len(list(csv.DictReader(path.open(newline="")))) for path in paths)
    demand(rows == int(count), evidence / "README.md", f"right about {name}, which has {rows} rows")
print(f"{len(tables)} tables are as they are written")
