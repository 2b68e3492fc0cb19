// Where the time is: steps by what they are, as lib/Optimizer/Decisions/TimeGroups.cpp has them.
import { layerNames } from "./layers";
import type { Plan } from "./plan";
import type { Layout } from "./schema";

export const timeBys = ["kind", "layer", "bound", "conversion"] as const;
export type TimeBy = (typeof timeBys)[number];

export interface TimeGroup { name: string; steps: number; time_ns: number; conversions_ns: number; bound_by: string }

/** "l1/block_sharded": where a layout lies, without the cores. */
function placeOf(layout: Layout): string { return layout.memory === undefined ? layout.buffer : `${layout.buffer}/${layout.memory}`; }

/** "reshard: l1/block_sharded to dram/interleaved, tile to row_major". */
function changeOf(plan: Plan, index: number): string {
  const { reads, writes, reason } = plan.steps[index];
  const from = plan.layoutOf(reads[0]), to = plan.layoutOf(writes[0]);
  const changed = ([[placeOf(from), placeOf(to)], [from.page, to.page], [from.dtype, to.dtype]] as [string, string][])
    .filter(([before, after]) => before !== after).map(([before, after]) => `${before} to ${after}`);
  return `${reason ?? "conversion"}: ${changed.length ? changed.join(", ") : `${placeOf(to)} on other cores`}`;
}

/** All groups, whose times add up to the plan's, or to that of its conversions. Layers in the order of the program, else the most time first. */
export function timeBy(plan: Plan, what: TimeBy): TimeGroup[] {
  const layers = what === "layer" ? layerNames(plan, plan.f.ops.map((_, i) => i)) : [];
  const nameOf = (index: number): string => {
    const { op, kind, time } = plan.steps[index];
    switch (what) {
      case "kind": return plan.stepKind(index);
      case "layer": return op === null ? "outside" : layers[op];
      case "bound": return time.bound_by;
      case "conversion": return kind === "run" ? "" : changeOf(plan, index);
    }
  };
  const sums = new Map<string, { group: TimeGroup; bounds: Map<string, number> }>();
  plan.steps.forEach(({ kind, time }, i) => {
    const name = nameOf(i);
    if (!name) return;
    if (!sums.has(name)) sums.set(name, { group: { name, steps: 0, time_ns: 0, conversions_ns: 0, bound_by: "" }, bounds: new Map() });
    const { group, bounds } = sums.get(name)!;
    group.steps++;
    group.time_ns += time.total_ns;
    if (kind !== "run") group.conversions_ns += time.total_ns;
    bounds.set(time.bound_by, (bounds.get(time.bound_by) ?? 0) + time.total_ns);
  });
  const groups = [...sums.values()].map(({ group, bounds }) => ({
    ...group, bound_by: [...bounds].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0][0],
  }));
  return what === "layer" ? groups : groups.sort((a, b) => b.time_ns - a.time_ns);
}
