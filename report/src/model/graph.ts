// A layered drawing of ops and groups: each below what it reads. Every open group is laid out by itself and is then one item of the group around
// it, so that 10,000 ops take no longer than their number says.
import { type Group, isSource } from "./groups";
import type { Plan } from "./plan";

export interface GraphEdge {
  from: number;
  to: number;
  /** Steps that convert what goes along it. */
  conversions: number[];
}

/** From op to op, without those that are not shown. */
export function graphEdges(plan: Plan, withSources: boolean): GraphEdge[] {
  const list: GraphEdge[] = [];
  plan.f.ops.forEach((op, to) => {
    const seen = new Map<number, GraphEdge>();
    plan.steps[op.step].reads.forEach((tensor) => {
      const from = plan.valueOf(tensor).producer;
      if (from === null || from === to || (!withSources && isSource(plan, from))) return;
      let edge = seen.get(from);
      if (!edge) {
        seen.set(from, (edge = { from, to, conversions: [] }));
        list.push(edge);
      }
      for (let maker = plan.tensor(tensor).made_by; maker !== null && plan.steps[maker].kind === "convert"; maker = plan.tensor(plan.steps[maker].reads[0]).made_by)
        if (!edge.conversions.includes(maker)) edge.conversions.push(maker);
    });
  });
  return list;
}

export interface Item {
  id: string;
  /** Null: a group. */
  op: number | null;
  group: Group | null;
  open: boolean;
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface DrawnEdge { from: Item; to: Item; count: number; conversions: number[] }

export interface Drawing { items: Item[]; edges: DrawnEdge[]; width: number; height: number; itemOf: Map<number, Item> }

const kWidth = 168, kHeight = 36, kGapX = 26, kGapY = 30, kHeader = 22, kInset = 14;

export function opsOf(group: Group): number[] {
  return group.children.flatMap((child) => (typeof child === "number" ? [child] : opsOf(child)));
}

export function layout(root: Group, edges: GraphEdge[], open: ReadonlySet<string>): Drawing {
  const items: Item[] = [];
  const itemOf = new Map<number, Item>();
  const neighbours = new Map<number, number[]>();
  for (const { from, to } of edges) {
    const list = neighbours.get(to);
    if (list) list.push(from);
    else neighbours.set(to, [from]);
  }
  const size = place(root, neighbours, open, items, itemOf);
  const drawn = new Map<string, DrawnEdge>();
  for (const edge of edges) {
    const [from, to] = [itemOf.get(edge.from), itemOf.get(edge.to)];
    if (!from || !to || from === to) continue;
    const key = `${from.id}>${to.id}`;
    const found = drawn.get(key);
    if (found) { found.count++; found.conversions.push(...edge.conversions); }
    else drawn.set(key, { from, to, count: 1, conversions: [...edge.conversions] });
  }
  return { items, edges: [...drawn.values()], ...size, itemOf };
}

interface Placed { item: Item; inside: Item[]; ops: number[] }

/** Lays out the children of a group around its upper left corner; appends all items, and returns the size. */
function place(group: Group, neighbours: Map<number, number[]>, open: ReadonlySet<string>, items: Item[], itemOf: Map<number, Item>): { width: number; height: number } {
  const children: Placed[] = group.children.map((child) => {
    if (typeof child === "number") {
      const item: Item = { id: `o${child}`, op: child, group: null, open: false, x: 0, y: 0, width: kWidth, height: kHeight };
      itemOf.set(child, item);
      return { item, inside: [], ops: [child] };
    }
    const item: Item = { id: child.id, op: null, group: child, open: open.has(child.id), x: 0, y: 0, width: kWidth, height: kHeight + 8 };
    const ops = opsOf(child);
    const inside: Item[] = [];
    if (item.open) {
      const size = place(child, neighbours, open, inside, itemOf);
      item.width = Math.max(size.width + 2 * kInset, kWidth);
      item.height = size.height + kHeader + 2 * kInset;
    } else for (const op of ops) itemOf.set(op, item);
    return { item, inside, ops };
  });
  const childOf = new Map<number, number>();
  children.forEach((child, i) => { for (const op of child.ops) childOf.set(op, i); });
  const reads = children.map((child, i) => {
    const from = new Set<number>();
    for (const op of child.ops) for (const maker of neighbours.get(op) ?? []) {
      const other = childOf.get(maker);
      if (other !== undefined && other !== i) from.add(other);
    }
    return [...from];
  });
  const size = arrange(children.map((child) => child.item), reads);
  for (const child of children) {
    items.push(child.item);
    for (const item of child.inside) {
      item.x += child.item.x + kInset;
      item.y += child.item.y + kHeader + kInset;
      items.push(item);
    }
  }
  return size;
}

/** Ranks by the longest path, order within a rank by where the makers are, then coordinates. */
function arrange(items: Item[], reads: number[][]): { width: number; height: number } {
  const rank = items.map(() => 0);
  reads.forEach((from, i) => { for (const other of from) if (other < i) rank[i] = Math.max(rank[i], rank[other] + 1); });
  const ranks: number[][] = Array.from({ length: rank.reduce((a, b) => Math.max(a, b), 0) + (items.length ? 1 : 0) }, () => []);
  rank.forEach((r, i) => ranks[r].push(i));
  const readers: number[][] = items.map(() => []);
  reads.forEach((from, i) => { for (const other of from) readers[other].push(i); });
  const center = (i: number) => items[i].x + items[i].width / 2;
  const mean = (list: number[], otherwise: number) => (list.length ? list.reduce((sum, i) => sum + center(i), 0) / list.length : otherwise);
  const sweep = (row: number[], sources: number[][]) => {
    const wanted = new Map(row.map((i) => [i, mean(sources[i], center(i))]));
    row.sort((a, b) => wanted.get(a)! - wanted.get(b)! || a - b);
    spread(row, items, wanted);
  };
  for (const row of ranks) spread(row, items, new Map(row.map((i) => [i, 0])));
  for (let round = 0; round < 2; round++) {
    for (const row of ranks) sweep(row, reads);
    for (const row of [...ranks].reverse()) sweep(row, readers);
  }
  for (const row of ranks) sweep(row, reads);
  const left = items.reduce((least, item) => Math.min(least, item.x), Infinity);
  let y = 0;
  for (const row of ranks) {
    const height = row.reduce((most, i) => Math.max(most, items[i].height), 0);
    for (const i of row) items[i].y = y;
    y += height + kGapY;
  }
  for (const item of items) item.x -= left;
  return { width: items.reduce((most, item) => Math.max(most, item.x + item.width), 0), height: Math.max(0, y - kGapY) };
}

/** Side by side in this order, each as near as there is room to where it wants its centre. */
function spread(row: number[], items: Item[], wanted: Map<number, number>): void {
  let right = -Infinity, shift = 0;
  for (const i of row) {
    const item = items[i];
    item.x = Math.max(wanted.get(i)! - item.width / 2, right);
    shift += item.x + item.width / 2 - wanted.get(i)!;
    right = item.x + item.width + kGapX;
  }
  for (const i of row) items[i].x -= shift / row.length;
}
