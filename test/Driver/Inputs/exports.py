"""Holds exports to facts/report-formats, and to the decisions that they were made from.

    exports.py FOLDER DECISIONS     FOLDER has trace.json, graph.json, graph.time.json, visualizer/, csv/
"""
import csv
import json
import pathlib
import re
import sqlite3
import sys

folder, decisions = pathlib.Path(sys.argv[1]), json.load(open(sys.argv[2]))
steps = [(f, i, s) for f in decisions["functions"] for i, s in enumerate(f["steps"])]
tensors = [(f, t) for f in decisions["functions"] for t in f["tensors"]]


def live(f, step, where):
    return [t for t in f["tensors"] if t["begin"] <= step < t["end"] and t[where]]


def check_perfetto():
    trace = json.load(open(folder / "trace.json"))
    events = trace["traceEvents"]
    assert trace["displayTimeUnit"] == "ns" and all(isinstance(e["pid"], int) for e in events)
    rows, arrows = {}, {}
    for event in events:
        if event["ph"] == "X":
            rows.setdefault((event["pid"], event["tid"]), []).append((event["ts"], event["ts"] + event["dur"]))
        elif event["ph"] in "sf":
            arrows.setdefault((event["id"], event["name"], event["cat"]), []).append(event["ph"])
    for spans in rows.values():
        spans.sort()
        # Slices of a row nest or lie apart; ours lie apart.
        assert all(before[1] <= after[0] + 1e-6 for before, after in zip(spans, spans[1:]))
    assert all(sorted(ends) == ["f", "s"] for ends in arrows.values()), "arrows have two ends"
    assert all({"step", "op"} <= set(e["args"]) for e in events if e["ph"] == "X" and e["tid"] <= 6), "each slice says which step of which op it is"
    for row in (7, 8, 9):  # kinds, layers, and what bounds the steps
        stretches = [e for e in events if e["ph"] == "X" and e["tid"] == row]
        assert sum(e["args"]["steps"] for e in stretches) == len(steps)
        assert abs(sum(e["dur"] for e in stretches) * 1000 - sum(f["after"]["time_ns"] for f in decisions["functions"])) <= len(steps), "they follow each other"
    slices = [e for e in events if e["ph"] == "X" and e["tid"] in (1, 2)]
    assert len(slices) == len(steps)
    total = sum(f["after"]["time_ns"] for f in decisions["functions"])
    assert abs(sum(e["dur"] for e in slices) * 1000 - total) <= len(steps)
    counters = {}
    for event in events:
        if event["ph"] == "C":
            counters.setdefault((event["pid"], event["name"]), []).append(event["args"])
    for (pid, name), samples in counters.items():
        f = decisions["functions"][pid - 1]
        assert len(samples) == len(f["steps"]) + 1 and not any(samples[-1].values()), "a closing sample"
        for sample, step in zip(samples, f["steps"]):
            if name == "L1 bytes":
                assert sum(sample.values()) == sum(step["l1"][k] for k in ("tensors_bytes", "buffers_bytes", "margin_bytes"))
    assert {name for _, name in counters} == {"L1 bytes", "DRAM bytes"}
    print(f"perfetto: {len(slices)} steps, {len(arrows)} arrows, {len(counters)} counters")


def check_model_explorer():
    graphs = json.load(open(folder / "graph.json"))
    assert set(graphs) == {"label", "graphs"} and [g["id"] for g in graphs["graphs"]] == [f["function"] for f in decisions["functions"]]
    times = json.load(open(folder / "graph.time.json"))
    for graph, f in zip(graphs["graphs"], decisions["functions"]):
        nodes = {node["id"]: node for node in graph["nodes"]}
        assert len(nodes) == len(graph["nodes"]), "ids are unique"
        layers = {}
        for node in graph["nodes"]:
            assert node["namespace"] and all(isinstance(a["value"], str) for a in node["attrs"])
            layers[node["namespace"]] = layers.get(node["namespace"], 0) + 1
            for edge in node["incomingEdges"]:
                source = nodes[edge["sourceNodeId"]]
                assert edge["sourceNodeOutputId"] in [output["id"] for output in source["outputsMetadata"]]
        assert max(layers.values()) <= 200
        steps_of = [node for node in graph["nodes"] if node["id"].startswith("step")]
        assert len(steps_of) == len(f["steps"])
        assert sum(len(node["incomingEdges"]) for node in steps_of) == sum(len(s["reads"]) for s in f["steps"])
        data = times[f["function"]]
        assert set(data["results"]) == {node["id"] for node in steps_of}
        assert [stop["stop"] for stop in data["gradient"]] == [0, 1]
        assert all(result["value"] * 1000 == s["time"]["total_ns"] or abs(result["value"] * 1000 - s["time"]["total_ns"]) < 1
                   for result, s in zip((data["results"][f"step{i}"] for i in range(len(f["steps"]))), f["steps"]))
        print(f"model explorer: {len(nodes)} nodes in {len(layers)} layers")


def check_csv():
    tables = {path.stem: list(csv.DictReader(open(path, newline=""))) for path in sorted((folder / "csv").glob("*.csv"))}
    assert set(tables) == {"steps", "tensors", "circular_buffers", "runners_up", "spills"}
    assert len(tables["steps"]) == len(steps) and len(tables["tensors"]) == len(tensors)
    for row, (f, i, step) in zip(tables["steps"], steps):
        assert int(row["time_ns"]) == step["time"]["total_ns"] and int(row["step"]) == i and row["function"] == f["function"]
    assert len(tables["runners_up"]) == sum(len(op["runners_up"]) for f in decisions["functions"] for op in f["ops"])
    assert len(tables["circular_buffers"]) == sum(len(s["circular_buffers"]) for _, _, s in steps)
    print("csv:", ", ".join(f"{len(rows)} {name}" for name, rows in tables.items()))


COLUMNS = {
    "devices": "device_id num_y_cores num_x_cores worker_l1_size address_at_first_l1_cb_buffer cb_limit",
    "operations": "operation_id name duration",
    "operation_arguments": "operation_id name value",
    "tensors": "tensor_id shape dtype layout memory_config device_id address buffer_type size",
    "input_tensors": "operation_id input_index tensor_id",
    "output_tensors": "operation_id output_index tensor_id",
    "buffers": "operation_id device_id address max_size_per_bank buffer_type buffer_layout",
    "stack_traces": "operation_id stack_trace source_file_id",
    "local_tensor_comparison_records": "tensor_id golden_tensor_id matches desired_pcc actual_pcc",
    "global_tensor_comparison_records": "tensor_id golden_tensor_id matches desired_pcc actual_pcc",
    "captured_graph": "operation_id captured_graph",
    "buffer_chunks": "operation_id device_id address bank_id core_x core_y chunk_address chunk_size page_size num_pages buffer_type",
}
SHARDED = re.compile(r"MemoryConfig\(memory_layout=TensorMemoryLayout::(HEIGHT|WIDTH|BLOCK)_SHARDED,buffer_type=BufferType::L1,"
                     r"shard_spec=ShardSpec\(grid=\{\[.*\]\},shape=\{\d+, \d+\},orientation=ShardOrientation::ROW_MAJOR,halo=0\)\)$")


def check_captured(database, ids):
    addresses = dict(database.execute("select tensor_id, address from tensors"))
    for operation, text in database.execute("select operation_id, captured_graph from captured_graph"):
        f, i, step = ids[operation]
        nodes = json.loads(text)
        by_id = {node["id"]: node for node in nodes}
        assert nodes[0]["node_type"] == "capture_start" and nodes[-1]["node_type"] == "capture_end" and len(by_id) == len(nodes)
        assert all(isinstance(value, str) for node in nodes for value in node["params"].values())
        assert all(target in by_id for node in nodes for target in node["connections"])
        names = [(node["node_type"], node["params"]["name"]) for node in nodes if node["node_type"].startswith("function")]
        assert names[0][1] == names[-1][1] and names[1][1] == names[2][1], "functions pair up like brackets"
        assert "." in names[0][1] and "." not in names[1][1], "the inner one is a device operation"
        for node in nodes:
            if node["node_type"] == "tensor" and node["params"]["buffer_type"] == "DRAM" and node["params"]["address"] != "0":
                assert int(node["params"]["address"]) == addresses[int(node["params"]["tensor_id"])], "one buffer has one number"
        sums, now = [0], 0
        for node in nodes:
            if node["node_type"] == "circular_buffer_allocate":
                assert node["params"]["core_range_set"].startswith("{[(x=0,y=0)")
                now += int(node["params"]["size"])
                sums.append(now)
            now = 0 if node["node_type"] == "circular_buffer_deallocate_all" else now
        if step["circular_buffers"]:
            assert max(sums) == step["l1"]["buffers_bytes"], (operation, max(sums), step["l1"])


def check_visualizer():
    config = json.load(open(folder / "visualizer/config.json"))
    assert config["report_name"]
    database = sqlite3.connect(folder / "visualizer/db.sqlite")
    for table, columns in COLUMNS.items():
        there = {row[1] for row in database.execute(f"pragma table_info({table})")}
        assert set(columns.split()) <= there, (table, there)
    ids = {row: steps[row - 1] for (row,) in database.execute("select operation_id from operations order by operation_id")}
    assert list(ids) == list(range(1, len(steps) + 1)), "ids begin at 1 and follow time"
    for operation, duration in database.execute("select operation_id, duration from operations"):
        assert abs(duration * 1e9 - ids[operation][2]["time"]["total_ns"]) <= 1, "seconds"
    for operation, text in database.execute("select operation_id, stack_trace from stack_traces"):
        f, i, step = ids[operation]
        assert [line.split(maxsplit=1)[1] for line in text.splitlines()] == f["ops"][step["op"]]["location"].split("/"), text
    assert database.execute("select count(*) from stack_traces").fetchone()[0] == sum(s["op"] is not None for _, _, s in steps)
    reads = database.execute("select count(*) from input_tensors").fetchone()[0]
    assert reads == sum(len(s["reads"]) for _, _, s in steps)
    for tensor, config, kind, address in database.execute("select tensor_id, memory_config, buffer_type, address from tensors"):
        f, data = tensors[tensor - 1]
        layout = f["layouts"][data["layout"]]
        assert ("_SHARDED" in config) == layout.get("memory", "").endswith("_sharded")
        assert "_SHARDED" not in config or SHARDED.match(config), config
        assert kind == {"dram": 0, "l1": 1, "l1_small": 3}.get(layout["buffer"], 2)
        assert address != 0 and (kind != 1 or data["address"] is None or address == data["address"][0])
    mesh = decisions["functions"][0]["device"]["mesh"]
    chips = [row for (row,) in database.execute("select device_id from devices order by device_id")]
    assert chips == list(range(mesh[0] * mesh[1])), "a device for each chip"
    first, *others = (database.execute("select operation_id, address, max_size_per_bank, buffer_type from buffers where device_id = ?", (chip,)).fetchall()
                      for chip in chips)
    assert all(first == other for other in others), "all chips hold the same"
    held = {}
    for operation, address, size, kind in first:
        held.setdefault((operation, kind), []).append((address, size))
    for operation, (f, i, step) in ids.items():
        assert sorted(held.get((operation, 1), [])) == sorted((t["address"][0], t["l1_bytes"]) for t in live(f, i, "address"))
        assert len(held.get((operation, 0), [])) == len(live(f, i, "dram_address"))
        (small,) = held[(operation, 3)]
        assert small[0] == f["device"]["l1_bytes"] - f["device"]["l1_small_bytes"]
        dram = {address for address, _ in held.get((operation, 0), [])}
        assert not dram & {address for address, _ in held.get((operation, 1), [])}, "memories are told apart by address"
    check_captured(database, ids)
    cores = database.execute("select max(c) from (select count(*) c from buffer_chunks group by operation_id, address, bank_id)").fetchone()[0]
    assert cores is None or cores >= 1
    print(f"visualizer: {len(ids)} operations on {len(chips)} devices, {sum(map(len, held.values()))} buffers")


check_perfetto()
check_model_explorer()
check_csv()
check_visualizer()
