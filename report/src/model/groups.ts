// Ops in groups that can be closed: scopes of locations or the layers of a model, and blocks between places where little is handed on. Groups are runs of the program, so
// that what is closed never makes a cycle.
import { groupPaths } from "./layers";
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

/** Ops that only hand on what is there from the start: weights of a model are hundreds. */
export function isSource(plan: Plan, op: number): boolean {
  const { operands, role } = plan.op(op);
  return role === "fixed" && operands.every((value) => plan.f.values[value].producer === null);
}

export function groupsOf(plan: Plan, ops: number[]): Group {
  const root = grouped(plan, ops, ops.length > kMostChildren || hasScopes(plan, ops) ? groupPaths(plan, ops) : ops.map(() => []), "");
  number(root, "g");
  return root;
}

function hasScopes(plan: Plan, ops: number[]): boolean { return ops.some((op) => plan.op(op).location.includes("/")); }

function number(group: Group, id: string): void {
  group.id = id;
  group.children.forEach((child, i) => { if (typeof child !== "number") number(child, `${id}.${i}`); });
}

/** A group of these ops: one inside it for each run of ops that are in the same scope, and what is too long is cut into blocks as often as it needs. */
function grouped(plan: Plan, ops: number[], paths: string[][], name: string): Group {
  const runs: { name: string | undefined; ops: number[]; paths: string[][] }[] = [];
  ops.forEach((op, i) => {
    const [first, ...rest] = paths[i];
    if (!runs.length || runs[runs.length - 1].name !== first) runs.push({ name: first, ops: [], paths: [] });
    runs[runs.length - 1].ops.push(op);
    runs[runs.length - 1].paths.push(rest);
  });
  const scopes = new Set(runs.map((run) => run.name));
  // Scopes that take turns so often tell nothing, and one around everything is no group of its own.
  if (scopes.size === 1 && runs[0]?.name !== undefined) return grouped(plan, ops, runs[0].paths, name ? `${name}/${runs[0].name}` : "");
  if (runs.length > 4 * scopes.size || (scopes.size === 1 && runs[0].name === undefined)) return nested(plan, ops, name);
  const children = runs.flatMap((run): (Group | number)[] => {
    if (run.name !== undefined) return [run.ops.length > 1 ? grouped(plan, run.ops, run.paths, run.name) : run.ops[0]];
    return run.ops.length > kMostBlock ? [nested(plan, run.ops, "")].flatMap((group) => group.children) : run.ops;
  });
  return { id: "", name, children: children.length > kMostChildren ? pieces(plan, children) : children, ops: ops.length };
}

/** What is too much to be seen at once, in groups of neighbours. */
function pieces(plan: Plan, children: (Group | number)[]): (Group | number)[] {
  let items: (Group | number)[] = children.map((child) => (typeof child === "number" ? { ...leaf(plan, [child]), name: plan.opName(child) } : child));
  while (items.length > kMostChildren) items = chunks(items);
  return items;
}

/** A group of these ops, cut into blocks as often as it needs. */
function nested(plan: Plan, ops: number[], name: string): Group {
  let items: (Group | number)[] = ops;
  if (ops.length > kMostChildren) items = blocksOf(plan, ops).map((block) => leaf(plan, block));
  while (items.length > kMostChildren) items = chunks(items);
  return { id: "", name, children: items, ops: ops.length };
}

function leaf(plan: Plan, ops: number[]): Group {
  return { id: "", name: `${plan.opName(ops[0])} … ${plan.opName(ops[ops.length - 1])}`, children: ops, ops: ops.length };
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
