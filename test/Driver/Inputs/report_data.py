"""Reads the data of a report as a browser does: report_data.py report.html [decisions.json | --diff diff.json]."""
import base64
import json
import sys
import zlib
from html.parser import HTMLParser


class Page(HTMLParser):
    """The data element, and what the page would fetch."""

    def __init__(self):
        super().__init__()
        self.data, self.encoding, self.inside, self.found, self.fetched = "", None, False, 0, []

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.inside = attributes.get("id") == "tessera-report-data"
        self.found += self.inside
        self.encoding = attributes.get("data-encoding") if self.inside else self.encoding
        self.fetched += [value for key, value in attributes.items() if key in ("src", "href") and not value.startswith("data:")]

    def handle_endtag(self, tag):
        self.inside = False

    def handle_data(self, data):
        self.data += data if self.inside else ""


page = Page()
page.feed(open(sys.argv[1], encoding="utf-8").read())
assert page.found == 1 and not page.fetched, (page.found, page.fetched)
print("one data element, no other file is asked for")
report = json.loads(zlib.decompress(base64.b64decode(page.data)) if page.encoding else page.data)
assert report["format"] == "tessera.report" and report["version"] == 1
print("plans:", *[plan["functions"][0]["policy"] for plan in report["plans"]])
if sys.argv[2:3] == ["--diff"]:
    assert report["diffs"] == json.load(open(sys.argv[3], encoding="utf-8"))["functions"]
    print("the changes are those of the diff")
elif len(sys.argv) > 2:
    decisions = json.load(open(sys.argv[2], encoding="utf-8"))
    for function in decisions["functions"]:
        function["trace"] = None
    assert report["plans"][0] == decisions
    print("the decisions are those of the file")
for diff in report["diffs"]:
    total = sum(change["delta_ns"] for change in diff["changes"])
    # Each change is rounded to whole nanoseconds.
    assert abs(total - (diff["after"]["time_ns"] - diff["before"]["time_ns"])) <= len(diff["changes"]) + 1
    print("changes add up")
for plan in report["plans"]:
    for function in plan["functions"]:
        for op in function["ops"]:
            print(op["location"])
