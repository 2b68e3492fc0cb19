"""Random merges with what the published code makes of them, by the rules of facts/deepseek 1.3 written once more: cases for
tessera config merge --cases. usage: random_merges.py COUNT SEED"""
import json
import random
import sys
from dataclasses import dataclass

FIELDS = {"LinearConfig": ["input_tensor_b", "memory_config", "compute_kernel_config", "program_config"],
          "MulConfig": ["memory_config", "input_tensor_a_activations"]}
STUB, DEVICE, OTHER = (4, 8), "D0", "R"


@dataclass
class Op:
    name: str
    fields: dict


@dataclass
class Stub:
    shape: tuple


@dataclass
class Device:
    name: str
    shape: tuple


@dataclass
class FromWeight:
    device: object


@dataclass
class Saved:
    path: str


@dataclass
class Loaded:
    path: str
    device: object


def encoded(x):
    match x:
        case Op(): return {"$op": x.name, "f": {key: encoded(item) for key, item in x.fields.items() if item is not None}}
        case Stub(): return {"$stub": list(x.shape)}
        case Device(): return {"$dev": [x.name, list(x.shape)]}
        case FromWeight(): return {"$fwc": encoded(x.device)}
        case Saved(): return {"$W": x.path}
        case Loaded(): return {"$tensor": [x.path, x.device.name, None]}
        case tuple(): return {"$tuple": [encoded(item) for item in x]}
        case list(): return [encoded(item) for item in x]
        case dict(): return {key: encoded(item) for key, item in x.items()}
    return x


class Merge:
    """One merge in dialect A or B. All errors are collected: in which order the published code meets them is open."""

    def __init__(self, dialect):
        self.later, self.errors, self.loads, self.warnings = dialect == "B", [], [], []

    def run(self, model, weights, states):
        all_states = states[0]
        for state in states[1:]:
            all_states = self.merge(all_states, state, self.fold_leaf)
        made = self.merge(model, all_states, self.state_leaf, search=True)
        return None if self.errors else self.merge(made, weights, self.later_weight_leaf if self.later else self.weight_leaf)

    def error(self, name):
        self.errors.append(name)

    def merge(self, a, b, leaf, search=False, device=None):
        if a is None and b is None:
            return None
        if isinstance(a, Op):
            made = self.merge(dict(a.fields), b, leaf, search, device)
            if isinstance(made, dict) and set(made) - set(FIELDS[a.name]):
                self.error("TypeError")
            return Op(a.name, made) if isinstance(made, dict) else None
        if isinstance(a, list | tuple | None) and isinstance(b, list | tuple | None):
            pairs = self.paired(a, b)
            if pairs is not None:
                kind = type(b if a is None else a)
                return kind(self.merge(x, y, leaf, search, device) for x, y in pairs)
        if isinstance(a, dict | None) and isinstance(b, dict | None):
            a, b = dict(a or {}), dict(b or {})
            if search and "mesh_device" in b:
                device = b.pop("mesh_device")
            return {key: self.merge(a.get(key), b.get(key), leaf, search, device) for key in list(a) + [key for key in b if key not in a]}
        return leaf(a, b, device)

    def paired(self, a, b):
        if not self.later and a is not None and not a and b is None:
            return self.error("TypeError") or []
        if a is None or b is None:
            return [(x, None) for x in a] if b is None else [(None, y) for y in b]
        if len(a) == len(b) and type(a) is type(b):
            return list(zip(a, b))
        if self.later and len(a) == 1:
            return [(a[0], y) for y in b]
        if self.later and len(b) == 1 and type(a) is type(b):
            return [(x, b[0]) for x in a]
        return None

    def resolved(self, item, device):
        if isinstance(item, Stub) and (device is None or device.shape != item.shape):
            return self.error("ValueError")
        return device if isinstance(item, Stub) else item

    def fold_leaf(self, a, b, _):
        return b if a is None else a if b is None else self.error("ValueError")

    def state_leaf(self, a, b, device):
        if b is not None:
            return b if a is None else self.error("ValueError")
        return FromWeight(self.resolved(a.device, device)) if isinstance(a, FromWeight) else self.resolved(a, device)

    def weight_leaf(self, a, b, _):
        if isinstance(a, FromWeight) and isinstance(b, Saved | str):
            self.loads.append(b.path if isinstance(b, Saved) else b)
            return Loaded(self.loads[-1], a.device)
        return self.kept(a) if b is None else self.error("ValueError")

    def later_weight_leaf(self, a, b, _):
        if isinstance(a, FromWeight):
            return self.weight_leaf(a, b, _) if isinstance(b, Saved) else None
        if a is None and isinstance(b, Saved):
            return self.warnings.append(f"Cached weight {b.path} is not needed by the model config, ignoring it.")
        return self.kept(a) if b is None else self.error("ValueError")

    def kept(self, a):
        return self.error("AssertionError") if isinstance(a, Stub) else a


def expected(dialect, model, weights, states):
    """None if it depends on the order."""
    merge = Merge(dialect)
    made = merge.run(model, weights, states)
    if merge.errors:
        return {"err": merge.errors[0]} if len(set(merge.errors)) == 1 else None
    return {"ok": encoded(made), "loads": sorted(merge.loads)} | ({"warn": sorted(merge.warnings)} if merge.warnings else {})


class Trees:
    """Model configs, and states and weights of about their form."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def chance(self, probability):
        return self.random.random() < probability

    def one(self, *choices):
        return self.random.choice(choices)

    def stub(self):
        return Stub(STUB if self.chance(.9) else (1, 8))

    def model(self, depth=3):
        kind = self.random.random()
        if depth == 0 or kind < .25:
            return self.one(None, 1, 0, "x", "", False, 1.5, self.stub(), FromWeight(self.stub()), FromWeight(Device(OTHER, (2, 2))), Device(OTHER, (2, 2)))
        if kind < .45:
            others = [self.one(None, None, "@L1", self.model(0), self.model(depth - 1)) for _ in range(3)]
            return Op("LinearConfig", dict(zip(FIELDS["LinearConfig"], [FromWeight(self.stub())] + others)))
        if kind < .52:
            return Op("MulConfig", dict(zip(FIELDS["MulConfig"], [self.one(None, "@DRAM", self.stub()), self.one(None, ["SILU"], [], [None, 1])])))
        if kind < .72:
            return self.one(list, list, tuple)(self.model(depth - 1) for _ in range(self.one(0, 1, 1, 2, 2, 3)))
        return {key: self.model(depth - 1) for key in self.random.sample("abcd", self.one(0, 1, 2, 3))}

    def bent(self, items, kind):
        """The list, or one of another length or kind."""
        items = self.one(*[items] * 6, items[:1], items + items[:1], [])
        return (kind if self.chance(.92) else self.one(list, tuple))(items)

    def state(self, model, top=False):
        if self.chance(.04):
            return self.one(None, 5, "s", [], {}, (), [7], (1, 2), {"q": 1}, Op("MulConfig", {"memory_config": "@L1"}), self.stub(), Saved("p"))
        match model:
            case Op() if self.chance(.5):
                return {key: self.state(item) for key, item in model.fields.items() if self.chance(.4)} | ({"bogus": 1} if self.chance(.03) else {})
            case list() | tuple() if self.chance(.6):
                return self.bent([self.state(item) for item in model], type(model))
            case dict():
                made = {key: self.state(item) for key, item in model.items() if self.chance(.6)}
                if self.chance(.93 if top else .12):
                    made["mesh_device"] = self.one(*[Device(DEVICE, STUB)] * 9, Device("D1", (1, 8)), None)
                return made | ({"s": self.one(0, [1], {"mesh_device": Device(DEVICE, STUB)})} if self.chance(.15) else {})
            case None:
                return self.one(None, None, 3, [1, 2], (1,), {"k": 1})
        return None

    def weights(self, model):
        if self.chance(.03):
            return self.one(None, 5, "s", [], {}, [Saved("pp")], {"q": Saved("z")}, Saved("orphan"))
        match model:
            case FromWeight():
                return Saved(f"p{self.random.randrange(5)}") if self.chance(.8) else self.one(None, "text", 7, {"x": 1}, [1])
            case Op():
                return {key: self.weights(item) for key, item in model.fields.items() if isinstance(item, FromWeight) or self.chance(.1)}
            case list() | tuple() if self.chance(.8):
                return self.bent([self.weights(item) for item in model], type(model))
            case dict():
                return {key: self.weights(item) for key, item in model.items() if self.chance(.8)}
        return None


def main():
    count, trees, cases = int(sys.argv[1]), Trees(int(sys.argv[2])), []
    while len(cases) != count:
        model = {key: trees.model() for key in trees.random.sample("abcw", trees.one(1, 2, 3))}
        states = [trees.state(model, top=True)] + [trees.state(model) for _ in range(trees.one(0, 0, 0, 1, 2))]
        weights = trees.weights(model)
        results = {dialect: expected(dialect, model, weights, states) for dialect in "AB" if dialect == "B" or len(states) == 1}
        if None not in results.values():
            cases.append({"name": str(len(cases)), "model": encoded(model), "weight": encoded(weights), "states": [encoded(state) for state in states],
                          "only": "B" if len(states) > 1 else None, "expect": results})
    print(json.dumps({"cases": cases}))


main()
