// A layered drawing of ops and groups: each below what it reads. Every open group is laid out by itself and is then one item of the group around
// it, so that 10,000 ops take no longer than their number says.
import { type Group, isSource } from "./groups";
import { type Lane, type Point, route, shiftLanes, type Stop } from "./lanes";
import type { MemoryKind, Plan } from "./plan";

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

/** `points`: its corners, from the lower edge of a box to the upper edge of another. */
export interface DrawnEdge { from: Item; to: Item; count: number; conversions: number[]; points: Point[] }

export interface Drawing { items: Item[]; edges: DrawnEdge[]; width: number; height: number; itemOf: Map<number, Item> }

const kWidth = 168, kHeight = 36, kGapX = 26, kGapY = 30, kHeader = 22, kInset = 14, kLane = 4, kGapLanes = 5;

/** Where an op's first result lies; "none" of ops that make nothing. */
export function resultKind(plan: Plan, op: number): MemoryKind | "none" {
  const result = plan.steps[plan.op(op).step].writes[0];
  return result === undefined ? "none" : plan.kindOf(result);
}

export function opsOf(group: Group): number[] {
  return group.children.flatMap((child) => (typeof child === "number" ? [child] : opsOf(child)));
}

/** What edges say of each op, and what is found of each box. */
class Places {
  readonly makers = new Map<number, number[]>();
  readonly readers = new Map<number, number[]>();
  readonly items: Item[] = [];
  readonly itemOf = new Map<number, Item>();
  readonly stops = new Map<string, Stop>();
  readonly groupOf = new Map<string, Item>();

  constructor(edges: GraphEdge[], readonly open: ReadonlySet<string>) {
    const add = (map: Map<number, number[]>, key: number, value: number) => {
      const list = map.get(key);
      if (list) list.push(value);
      else map.set(key, [value]);
    };
    for (const { from, to } of edges) { add(this.makers, to, from); add(this.readers, from, to); }
  }

  /** The box, the open group around it, and so on. */
  outwards(item: Item): Stop[] {
    const list: Stop[] = [];
    for (let at: Item | undefined = item; at; at = this.groupOf.get(at.id)) list.push(this.stops.get(at.id)!);
    return list;
  }

  points(from: Item, to: Item): Point[] {
    const [a, b] = [this.outwards(from), this.outwards(to)];
    // Groups around both are not left.
    while (a.length > 1 && b.length > 1 && a[a.length - 1] === b[b.length - 1]) { a.pop(); b.pop(); }
    return route(a, b);
  }
}

export function layout(root: Group, edges: GraphEdge[], open: ReadonlySet<string>): Drawing {
  const places = new Places(edges, open);
  const { items, itemOf } = places;
  const { size } = place(root, places);
  const drawn = new Map<string, DrawnEdge>();
  for (const edge of edges) {
    const [from, to] = [itemOf.get(edge.from), itemOf.get(edge.to)];
    if (!from || !to || from === to) continue;
    const key = `${from.id}>${to.id}`;
    const found = drawn.get(key);
    if (found) { found.count++; found.conversions.push(...edge.conversions); }
    else drawn.set(key, { from, to, count: 1, conversions: [...edge.conversions], points: places.points(from, to) });
  }
  return { items, edges: [...drawn.values()], ...size, itemOf };
}

interface Placed { item: Item; inside: Item[]; stops: Stop[]; ops: number[] }

/** Lays out the children of a group around its upper left corner; appends all items, and returns the size. */
function place(group: Group, places: Places): { size: { width: number; height: number }; stops: Stop[] } {
  const { items, itemOf, open } = places;
  const children: Placed[] = group.children.map((child) => {
    if (typeof child === "number") {
      const item: Item = { id: `o${child}`, op: child, group: null, open: false, x: 0, y: 0, width: kWidth, height: kHeight };
      itemOf.set(child, item);
      return { item, inside: [], stops: [], ops: [child] };
    }
    const item: Item = { id: child.id, op: null, group: child, open: open.has(child.id), x: 0, y: 0, width: kWidth, height: kHeight + 8 };
    const ops = opsOf(child);
    let inside: Item[] = [], stops: Stop[] = [];
    if (item.open) {
      const before = items.length;
      const placed = place(child, places);
      inside = items.splice(before);
      stops = placed.stops;
      for (const stop of stops) if (!places.groupOf.has(stop.item.id)) places.groupOf.set(stop.item.id, item);
      item.width = Math.max(placed.size.width + 2 * kInset, kWidth);
      item.height = placed.size.height + kHeader + 2 * kInset;
    } else for (const op of ops) itemOf.set(op, item);
    return { item, inside, stops, ops };
  });
  const childOf = new Map<number, number>();
  children.forEach((child, i) => { for (const op of child.ops) childOf.set(op, i); });
  const links = children.map((child, i) => linksOf(child.ops, i, childOf, places));
  const arranged = arrange(children.map((child) => child.item), links);
  const all = [...arranged.stops];
  for (const child of children) {
    items.push(child.item);
    for (const item of child.inside) {
      item.x += child.item.x + kInset;
      item.y += child.item.y + kHeader + kInset;
      items.push(item);
    }
    shiftLanes(child.stops, child.item.x + kInset, child.item.y + kHeader + kInset);
    all.push(...child.stops);
  }
  for (const stop of arranged.stops) places.stops.set(stop.item.id, stop);
  return { size: arranged.size, stops: all };
}

/** Children that a child reads, and whether it also reads what is made outside of its group, or is read there. */
interface Links { reads: number[]; comesIn: boolean; goesOut: boolean }

function linksOf(ops: number[], child: number, childOf: Map<number, number>, { makers, readers }: Places): Links {
  const reads = new Set<number>();
  let [comesIn, goesOut] = [false, false];
  for (const op of ops) {
    for (const maker of makers.get(op) ?? []) {
      const other = childOf.get(maker);
      if (other === undefined) comesIn = true;
      else if (other !== child) reads.add(other);
    }
    for (const reader of readers.get(op) ?? []) goesOut ||= !childOf.has(reader);
  }
  return { reads: [...reads], comesIn, goesOut };
}

/** A box or a lane in a rank. */
interface Node { x: number; width: number; item: Item | null; above: Node[]; below: Node[] }

/** The boxes with the lanes that pass the ranks between those which belong together, rank by rank. */
function ranked(items: Item[], links: Links[]): { ranks: Node[][]; stops: { item: Item; rank: number; out: Node[]; entry: Node[] }[] } {
  const rank = items.map(() => 0);
  links.forEach(({ reads }, i) => { for (const other of reads) if (other < i) rank[i] = Math.max(rank[i], rank[other] + 1); });
  const last = rank.reduce((a, b) => Math.max(a, b), 0);
  const ranks: Node[][] = Array.from({ length: items.length ? last + 1 : 0 }, () => []);
  const nodes = items.map((item, i) => {
    const node: Node = { x: 0, width: item.width, item, above: [], below: [] };
    ranks[rank[i]].push(node);
    return node;
  });
  const join = (above: Node, below: Node) => { above.below.push(below); below.above.push(above); };
  const chain = (from: number, to: number): Node[] => {
    const lanes: Node[] = [];
    for (let r = from; r < to; r++) {
      const lane: Node = { x: 0, width: kLane, item: null, above: [], below: [] };
      ranks[r].push(lane);
      if (lanes.length) join(lanes[lanes.length - 1], lane);
      lanes.push(lane);
    }
    return lanes;
  };
  const farthest = items.map((_, i) => (links[i].goesOut ? last + 1 : rank[i]));
  links.forEach(({ reads }, i) => { for (const other of reads) farthest[other] = Math.max(farthest[other], rank[i]); });
  const out = items.map((_, i) => chain(rank[i] + 1, farthest[i]));
  const entry = items.map((_, i) => (links[i].comesIn ? chain(0, rank[i]) : []));
  items.forEach((_, i) => {
    if (out[i].length) join(nodes[i], out[i][0]);
    if (entry[i].length) join(entry[i][entry[i].length - 1], nodes[i]);
    for (const other of links[i].reads) {
      const lanes = rank[i] - rank[other] - 1;
      join(lanes > 0 ? out[other][lanes - 1] : nodes[other], nodes[i]);
    }
  });
  return { ranks, stops: items.map((item, i) => ({ item, rank: rank[i], out: out[i], entry: entry[i] })) };
}

/** Ranks by the longest path, order within a rank by where the makers are, then coordinates. */
function arrange(items: Item[], links: Links[]): { size: { width: number; height: number }; stops: Stop[] } {
  const { ranks, stops } = ranked(items, links);
  const center = (node: Node) => node.x + node.width / 2;
  const mean = (list: Node[], otherwise: number) => (list.length ? list.reduce((sum, node) => sum + center(node), 0) / list.length : otherwise);
  const sweep = (row: Node[], side: "above" | "below") => {
    const wanted = new Map(row.map((node, i) => [node, { at: mean(node[side], center(node)), i }]));
    row.sort((a, b) => wanted.get(a)!.at - wanted.get(b)!.at || wanted.get(a)!.i - wanted.get(b)!.i);
    spread(row, (node) => wanted.get(node)!.at);
  };
  for (const row of ranks) spread(row, () => 0);
  for (let round = 0; round < 2; round++) {
    for (const row of ranks) sweep(row, "above");
    for (const row of [...ranks].reverse()) sweep(row, "below");
  }
  for (const row of ranks) sweep(row, "above");
  const left = ranks.reduce((least, row) => Math.min(least, row[0].x), Infinity);
  const right = ranks.reduce((most, row) => Math.max(most, row[row.length - 1].x + row[row.length - 1].width), -Infinity);
  const bands: { top: number; bottom: number }[] = [];
  let y = 0;
  for (const row of ranks) {
    const height = row.reduce((most, { item }) => Math.max(most, item?.height ?? 0), 0);
    bands.push({ top: y, bottom: y + height });
    for (const { item, x } of row) if (item) { item.x = x - left; item.y = y; }
    y += height + kGapY;
  }
  const lanes = (nodes: Node[], first: number): Lane[] => nodes.map((node, i) => ({ x: center(node) - left, ...bands[first + i] }));
  return {
    size: { width: ranks.length ? right - left : 0, height: Math.max(0, y - kGapY) },
    stops: stops.map(({ item, rank, out, entry }) => ({ item, rank, bottom: bands[rank].bottom, out: lanes(out, rank + 1), entry: lanes(entry, 0) })),
  };
}

/** Side by side in this order, each as near as there is room to where it wants its centre. */
function spread(row: Node[], wanted: (node: Node) => number): void {
  let right = -Infinity, shift = 0, before: Node | null = null;
  for (const node of row) {
    const gap = before && !before.item && !node.item ? kGapLanes : kGapX;
    node.x = Math.max(wanted(node) - node.width / 2, right + gap);
    shift += node.x + node.width / 2 - wanted(node);
    right = node.x + node.width;
    before = node;
  }
  for (const node of row) node.x -= shift / row.length;
}
