// The layers of a model, as lib/Optimizer/Decisions/Layers.cpp has them.
import type { Plan } from "./plan";

/** Ops of a layer at least: shorter patterns are parts of one. */
const kLeastPeriod = 12;

/** "model/layers.3" of "model/layers.3/mlp/dot"; "" if no scope ends in a number. */
function scopeOf(location: string): string {
  const parts = location.split("/");
  for (let i = 0; i + 1 < parts.length; i++) if (/[0-9]\]?$/.test(parts[i])) return parts.slice(0, i + 1).join("/");
  return "";
}

/** Null if the locations do not tell. */
function byScopes(plan: Plan, ops: number[]): string[] | null {
  const scopes = ops.map((op) => scopeOf(plan.op(op).location));
  const found = scopes.filter((scope) => scope !== "");
  if (2 * found.length < ops.length || new Set(found).size < 2) return null;
  return scopes.map((scope) => scope || "outside");
}

/** Ops of the same kind with results of the same shapes have the same number. */
function signatures(plan: Plan, ops: number[]): number[] {
  const kinds = new Map<string, number>();
  return ops.map((op) => {
    const { name, results } = plan.op(op);
    const text = `${name} ${results.map((value) => plan.shape(plan.f.values[value])).join()}`;
    if (!kinds.has(text)) kinds.set(text, kinds.size);
    return kinds.get(text)!;
  });
}

function same(list: number[], a: number, b: number, length: number): boolean {
  let equal = 0;
  for (let i = 0; i < length; i++) equal += list[a + i] === list[b + i] ? 1 : 0;
  return 20 * equal >= 19 * length;
}

/** The distance at which a list repeats itself, but for less than 15 of 100 of the ops that are compared; null if there is none. */
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
  for (let at = 0; at + 2 * period <= list.length; at++) if (list[at] === list[at + period] && same(list, at, at + period, period)) return at;
  return 0;
}

/** The layer of each of these ops, which are in program order. */
export function layerNames(plan: Plan, ops: number[]): string[] {
  const scopes = byScopes(plan, ops);
  if (scopes) return scopes;
  const list = signatures(plan, ops);
  const period = periodOf(list);
  if (!period) return ops.map(() => "all ops");
  const begin = firstRepeat(list, period);
  let end = begin;
  while (end + period <= list.length && same(list, begin, end, period)) end += period;
  return ops.map((_, i) => (i < begin ? "begin" : i < end ? `layer ${Math.floor((i - begin) / period)}` : "end"));
}

/** The groups that each of these ops stands in, the outermost first: scopes of locations where half of the ops have some, else layers. */
export function groupPaths(plan: Plan, ops: number[]): string[][] {
  const scopes = ops.map((op) => plan.op(op).location.split("/").slice(0, -1));
  if (2 * scopes.filter((scope) => scope.length).length >= ops.length) return scopes;
  const layers = layerNames(plan, ops);
  return layers.map((layer) => (layer !== layers[0] || layer !== layers[layers.length - 1] ? [layer] : []));
}
