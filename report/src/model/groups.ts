// Ops in groups that can be closed: the layers of a model, and blocks between places where little is handed on. Groups are runs of the program, so
// that what is closed never makes a cycle.
import type { Plan } from "./plan";

export interface Group {
  id: string;
  name: string;
  /** Ops, or groups; in program order. */
  children: (Group | number)[];
  ops: number;
}

/** Items of one group that a reader can take in. */
const kMostChildren = 40;
const kLeastBlock = 8, kMostBlock = 26;
const kLeastPeriod = 12;

/** Ops that only hand on what is there from the start: weights of a model are hundreds. */
export function isSource(plan: Plan, op: number): boolean {
  const { operands, role } = plan.op(op);
  return role === "fixed" && operands.every((value) => plan.f.values[value].producer === null);
}

export function groupsOf(plan: Plan, ops: number[]): Group {
  const layers = ops.length > kMostChildren ? layersOf(plan, ops) : null;
  const parts = layers ? layers.map(([name, part]) => nested(plan, part, name)) : null;
  const root = parts ? { id: "", name: "", children: parts as (Group | number)[], ops: ops.length } : nested(plan, ops, "");
  number(root, "g");
  return root;
}

function number(group: Group, id: string): void {
  group.id = id;
  group.children.forEach((child, i) => { if (typeof child !== "number") number(child, `${id}.${i}`); });
}

/** A group of these ops, cut into blocks as often as it needs. */
function nested(plan: Plan, ops: number[], name: string): Group {
  let items: (Group | number)[] = ops;
  if (ops.length > kMostChildren) items = blocksOf(plan, ops).map((block) => leaf(plan, block));
  while (items.length > kMostChildren) items = chunks(items);
  return { id: "", name, children: items, ops: ops.length };
}

function leaf(plan: Plan, ops: number[]): Group {
  return { id: "", name: `${plan.op(ops[0]).location} … ${plan.op(ops[ops.length - 1]).location}`, children: ops, ops: ops.length };
}

function chunks(items: (Group | number)[]): Group[] {
  const size = Math.ceil(items.length / Math.ceil(items.length / 16));
  const list: Group[] = [];
  for (let at = 0; at < items.length; at += size) {
    const children = items.slice(at, at + size) as Group[];
    const [first, last] = [children[0].name.split(" … ")[0], children[children.length - 1].name.split(" … ").pop()];
    list.push({ id: "", name: `${first} … ${last}`, children, ops: children.reduce((sum, each) => sum + each.ops, 0) });
  }
  return list;
}

// ---- Layers --------------------------------------------------------------------------------------------

function layersOf(plan: Plan, ops: number[]): [string, number[]][] | null {
  const kinds = new Map<string, number>();
  const signature = ops.map((op) => {
    const { name, results } = plan.op(op);
    const text = `${name} ${results.map((value) => plan.shape(plan.f.values[value])).join()}`;
    if (!kinds.has(text)) kinds.set(text, kinds.size);
    return kinds.get(text)!;
  });
  const period = periodOf(signature);
  if (!period) return null;
  const begin = firstRepeat(signature, period);
  let end = begin;
  while (end + period <= ops.length && same(signature, begin, end, period)) end += period;
  const list: [string, number[]][] = [];
  if (begin > 0) list.push(["begin", ops.slice(0, begin)]);
  for (let at = begin, i = 0; at < end; at += period, i++) list.push([`layer ${i}`, ops.slice(at, at + period)]);
  if (end < ops.length) list.push(["end", ops.slice(end)]);
  return list;
}

function same(list: number[], a: number, b: number, length: number): boolean {
  let equal = 0;
  for (let i = 0; i < length; i++) equal += list[a + i] === list[b + i] ? 1 : 0;
  return equal >= 0.95 * length;
}

/** The distance at which most of a list repeats itself; null if half of it does not. */
function periodOf(list: number[]): number | null {
  let best = 0, period: number | null = null;
  for (let p = kLeastPeriod; p <= list.length / 2; p++) {
    let equal = 0;
    for (let i = p; i < list.length; i++) equal += list[i] === list[i - p] ? 1 : 0;
    const share = equal / (list.length - p);
    // A multiple of the period repeats as well, a part of it nearly so: the shortest that is clearly best.
    if (share > best + 0.02 && equal > 0.4 * list.length) { best = share; period = p; }
  }
  return best > 0.85 ? period : null;
}

function firstRepeat(list: number[], period: number): number {
  for (let at = 0; at + 2 * period <= list.length; at++) if (same(list, at, at + period, period) && list[at] === list[at + period]) return at;
  return 0;
}

// ---- Blocks --------------------------------------------------------------------------------------------

/** Cut where the fewest results are handed on. */
function blocksOf(plan: Plan, ops: number[]): number[][] {
  const place = new Map(ops.map((op, i) => [op, i]));
  const lastUse = ops.map((_, i) => i);
  ops.forEach((op, i) => {
    for (const value of plan.op(op).operands) {
      const maker = place.get(plan.f.values[value].producer ?? -1);
      if (maker !== undefined) lastUse[maker] = i;
    }
  });
  const change = new Int32Array(ops.length + 2);
  lastUse.forEach((last, i) => { if (last > i) { change[i + 1]++; change[last + 1]--; } });
  const crossing = new Int32Array(ops.length + 1);
  for (let i = 0, now = 0; i <= ops.length; i++) crossing[i] = now += change[i];
  const blocks: number[][] = [];
  for (let at = 0; at < ops.length;) {
    let cut = ops.length;
    if (ops.length - at > kMostBlock) {
      cut = at + kLeastBlock;
      for (let i = cut; i <= Math.min(at + kMostBlock, ops.length - kLeastBlock); i++) if (crossing[i] <= crossing[cut]) cut = i;
    }
    blocks.push(ops.slice(at, cut));
    at = cut;
  }
  return blocks;
}
