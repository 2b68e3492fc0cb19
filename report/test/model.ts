// The page's view of decisions against what the command line says of the same file. Arguments: folders, each with decisions.json and what
// `tessera explain` made of it: all.json (--all --json), costliest.json (--json) and by-kind.json, ... (--by kind --json).
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { explain } from "../src/model/explain";
import { type Drawing, graphEdges, type Item, layout, resultKind } from "../src/model/graph";
import { type Group, groupsOf } from "../src/model/groups";
import { rectangles, sums } from "../src/model/memory";
import { Plan } from "../src/model/plan";
import { sharesAt } from "../src/model/shares";
import type { Decisions } from "../src/model/schema";
import { type TimeGroup, timeBy, timeBys } from "../src/model/timeGroups";

function read<T>(folder: string, name: string): T { return JSON.parse(readFileSync(join(folder, name), "utf8")) as T; }

function checkSums(plan: Plan): void {
  const held = sums(rectangles(plan), plan.steps.length);
  plan.steps.forEach(({ l1 }, i) =>
    assert.equal(held[i], l1.tensors_bytes + l1.buffers_bytes + l1.margin_bytes, `step ${i}: the rectangles do not add up to the plan checker's figure`));
}

/** Who holds L1 adds up to the same, each with bytes of its own. */
function checkShares(plan: Plan): void {
  plan.steps.forEach((_, i) => {
    const shares = sharesAt(plan, i);
    for (const { bytes } of shares) assert(bytes >= 0, `step ${i}: a share of L1 is below zero`);
    assert.equal(shares.reduce((sum, { bytes }) => sum + bytes, 0), plan.l1At(i), `step ${i}: the shares do not add up to the plan checker's figure`);
  });
}

/** Each op has a name of its own, and each conversion that takes a value out of L1 a cause. */
function checkWords(plan: Plan): void {
  const names = plan.f.ops.map((_, i) => plan.opName(i));
  assert.equal(new Set(names).size, names.length, "two ops are called the same");
  plan.steps.forEach(({ kind, reason }, i) => assert(kind === "run" || reason !== "spill" || plan.spillWhy(i), `step ${i}: a spill without a cause`));
}

/** What lives at a step lies apart, but for views of one buffer, and for what a convolution frees before it makes its result. */
function checkApart(plan: Plan): void {
  if (plan.f.clashes.length) return;
  plan.steps.forEach((step, i) => {
    const { conv2d } = (step.config ?? {}) as { conv2d?: { deallocate_activation: boolean } };
    const freed = conv2d?.deallocate_activation ? step.reads[0] : null;
    const ranges = plan.holdersAt(i).filter((t) => t !== freed).map((t) => plan.addressAt(t, i)).filter((range) => range !== null);
    if (step.buffers_address) ranges.push(step.buffers_address);
    ranges.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    for (let k = 1; k < ranges.length; k++)
      assert(ranges[k][0] >= ranges[k - 1][1] || ranges[k][0] === ranges[k - 1][0], `step ${i}: rectangles lie over one another at ${ranges[k][0]}`);
  });
}

function checkCostliest(plan: Plan, said: { ops: { step: number; name: string; sentence: string }[]; conversions: { step: number; name: string; sentence: string }[] }): void {
  for (const [kind, list] of [["run", said.ops], ["convert", said.conversions]] as const)
    assert.deepEqual(plan.costliest(kind, list.length).map((step) => ({ step, name: plan.stepName(step), sentence: plan.sentence(step) })),
      list.map(({ step, name, sentence }) => ({ step, name, sentence })));
}

/** What `tessera explain --by` says. */
function checkTimes(plan: Plan, said: Record<string, { groups: TimeGroup[] }>): void {
  for (const by of timeBys) assert.deepEqual(timeBy(plan, by), said[by].groups, `time by ${by}`);
}

function members(group: Group): number[] { return group.children.flatMap((child) => (typeof child === "number" ? [child] : members(child))); }
function ids(group: Group): string[] { return group.children.flatMap((child) => (typeof child === "number" ? [] : [child.id, ...ids(child)])); }

function inside(a: Item, b: Item): boolean { return a.x >= b.x && a.y >= b.y && a.x + a.width <= b.x + b.width && a.y + a.height <= b.y + b.height; }
function overlap(a: Item, b: Item): boolean { return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height; }

/** Edges go around boxes: a straight piece enters no box but those that it begins or ends in, and the groups around them. */
function checkWays({ items, edges }: Drawing): void {
  const holds = (box: Item, item: Item) => box === item || (box.open && inside(item, box));
  for (const { from, to, points } of edges) {
    assert.deepEqual([points[0], points[points.length - 1]], [[from.x + from.width / 2, from.y + from.height], [to.x + to.width / 2, to.y]]);
    for (let i = 1; i < points.length; i++) {
      const [[x0, y0], [x1, y1]] = [points[i - 1], points[i]];
      assert(y1 >= y0, `the edge from ${from.id} to ${to.id} goes up`);
      const [left, right] = [Math.min(x0, x1) + 1, Math.max(x0, x1) - 1];
      for (const box of items)
        if (!holds(box, from) && !holds(box, to) && Math.min(left, right) < box.x + box.width && Math.max(left, right) > box.x)
          assert(y1 <= box.y + 0.01 || y0 >= box.y + box.height - 0.01, `the edge from ${from.id} to ${to.id} crosses ${box.id}`);
    }
  }
}

function checkDrawing({ items, edges }: Drawing): void {
  const closed = items.filter((item) => !item.open);
  closed.forEach((a, i) => closed.slice(i + 1).forEach((b) => assert(!overlap(a, b), `${a.id} and ${b.id} lie over one another`)));
  for (const open of items.filter((item) => item.open))
    for (const item of closed) assert(!overlap(open, item) || inside(item, open), `${item.id} is neither in ${open.id} nor beside it`);
  for (const { from, to } of edges) assert(from !== to && from.y < to.y, `${from.id} is not above ${to.id}, which reads it`);
}

/** Where all locations have scopes, groups are these: one inside the other. */
function checkScopes(plan: Plan, group: Group, around: string[]): void {
  const here = group.name && !group.name.includes(" … ") ? [...around, group.name] : around;
  for (const child of group.children)
    if (typeof child !== "number") checkScopes(plan, child, here);
    else assert(`/${plan.op(child).location}`.includes(here.map((name) => `/${name}`).join("")), `${plan.op(child).location} is in ${here.join("/")}`);
}

function checkGraph(plan: Plan): void {
  const ops = plan.f.ops.map((_, i) => i);
  const root = groupsOf(plan, ops);
  assert.deepEqual(members(root).sort((a, b) => a - b), ops, "each op is in one group");
  if (ops.every((op) => plan.op(op).location.includes("/"))) {
    checkScopes(plan, root, []);
    assert(ids(root).length > 0, "scopes are groups");
  }
  const edges = graphEdges(plan, true);
  checkDrawing(layout(root, edges, new Set()));
  checkWays(layout(root, edges, new Set()));
  if (ops.length < 2000) checkDrawing(layout(root, edges, new Set(ids(root))));
  if (ops.length < 700) checkWays(layout(root, edges, new Set(ids(root))));
  ops.forEach((op) => assert.equal(resultKind(plan, op) === "none", plan.op(op).results.length === 0, "what makes nothing lies nowhere"));
}

let ops = 0, steps = 0;
for (const folder of process.argv.slice(2)) {
  const { functions } = read<Decisions>(folder, "decisions.json");
  const all = read<{ ops: unknown[] }>(folder, "all.json").ops;
  const costliest = read<{ functions: Parameters<typeof checkCostliest>[1][] }>(folder, "costliest.json").functions;
  let place = 0;
  functions.forEach((f, i) => {
    const plan = new Plan(f);
    try {
      checkSums(plan);
      checkShares(plan);
      checkWords(plan);
      checkApart(plan);
      checkCostliest(plan, costliest[i]);
      checkTimes(plan, Object.fromEntries(timeBys.map((by) => [by, read<{ functions: { groups: TimeGroup[] }[] }>(folder, `by-${by}.json`).functions[i]])));
      checkGraph(plan);
      f.ops.forEach((op, index) => assert.deepEqual(explain(plan, index), all[place++], op.location));
    } catch (error) {
      throw new Error(`${folder} @${f.function}: ${(error as Error).message}`, { cause: error });
    }
    ops += f.ops.length;
    steps += f.steps.length;
  });
  assert.equal(place, all.length);
}
console.log(`${process.argv.length - 2} files, ${ops} ops, ${steps} steps: details and rectangles are the command line's`);
