// What is different from the other plan, the most expensive change first, and the memory of both on one axis.
import { useCallback, useState } from "preact/hooks";
import type { JSX } from "preact";
import { Canvas, type Size, ticks } from "../draw/canvas";
import { memoryColors, selectionColor, theme } from "../draw/colors";
import { gutter } from "../draw/memoryMap";
import { bytes, plural, signedTime, time } from "../format";
import type { Plan } from "../model/plan";
import type { DiffChange, DiffSide } from "../model/schema";
import type { Report } from "../state";

/** Changes that are listed before the reader asks for more. */
const kListed = 50;

const colors = { before: memoryColors.dram, after: memoryColors.l1_sharded };

function drawBoth(context: CanvasRenderingContext2D, size: Size, plans: { plan: Plan; color: string; dashed: boolean }[]): void {
  const { muted } = theme();
  const most = Math.max(...plans.map(({ plan }) => plan.f.budget_bytes)) * 1.05;
  const longest = Math.max(...plans.map(({ plan }) => plan.starts[plan.steps.length]), 1);
  const bottom = size.height - 20;
  const x = (ns: number) => gutter + (ns / longest) * (size.width - gutter - 8);
  const y = (value: number) => bottom - (value / most) * (bottom - 8);
  for (const { plan, color, dashed } of plans) {
    context.strokeStyle = selectionColor;
    context.setLineDash([]);
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(gutter, y(plan.f.budget_bytes));
    context.lineTo(size.width, y(plan.f.budget_bytes));
    context.stroke();
    context.strokeStyle = color;
    context.lineWidth = 1.6;
    context.setLineDash(dashed ? [6, 3] : []);
    context.beginPath();
    plan.steps.forEach((_, i) => {
      const level = y(plan.l1At(i));
      context[i ? "lineTo" : "moveTo"](x(plan.starts[i]), level);
      context.lineTo(x(plan.starts[i + 1]), level);
    });
    context.stroke();
  }
  context.setLineDash([]);
  context.fillStyle = muted;
  context.textAlign = "right";
  for (const at of ticks(0, most, 4, 2)) context.fillText(bytes(at), gutter - 7, Math.min(y(at) + 4, bottom));
  context.fillText("time", gutter - 7, size.height - 5);
  context.textAlign = "center";
  for (const at of ticks(0, longest, (size.width - gutter) / 110)) if (at > 0 && x(at) < size.width - 24) context.fillText(time(at), x(at), size.height - 5);
  context.textAlign = "left";
}

function Side({ side, other }: { side: DiffSide | null; other: DiffSide | null }): JSX.Element {
  if (!side) return <span class="muted">is not there</span>;
  const outputs = side.outputs.join(", ");
  return (
    <>
      <code class={other && outputs !== other.outputs.join(", ") ? "changed" : ""}>{outputs}</code>
      <div class="muted">{time(side.op_ns)}, bound by {side.bound_by}; L1 {bytes(side.l1_bytes)}</div>
      {other && side.config_text !== other.config_text && side.config_text ? <div>{side.config_text}</div> : null}
      {side.rewritten ? <div>{side.rewritten}</div> : null}
      {side.converted.length ? <div>{time(side.conversions_ns)} for {side.converted.join("; ")}</div> : null}
    </>
  );
}

export function Diff({ report }: { report: Report }): JSX.Element {
  const { data, view } = report;
  const [all, setAll] = useState(false);
  const name = report.plan.f.function;
  const diff = data.diffs.find((each) => each.function === name) ?? data.diffs[Math.min(view.fn, data.diffs.length - 1)];
  const fn = (plan: number) => Math.max(0, data.plans[plan].functions.findIndex((f) => f.function === diff.function));
  const draw = useCallback((context: CanvasRenderingContext2D, size: Size) => drawBoth(context, size, [
    { plan: report.planOf(0, fn(0)), color: colors.before, dashed: true }, { plan: report.planOf(1, fn(1)), color: colors.after, dashed: false }]), [report, diff]);
  const open = (change: DiffChange) => {
    const plan = change.before ? 0 : 1;
    const side = change.before ?? change.after!;
    report.set({ plan, fn: fn(plan), step: report.planOf(plan, fn(plan)).op(side.op).step, tensor: null });
  };
  const nameOf = (change: DiffChange) => {
    const plan = change.before ? 0 : 1;
    return report.planOf(plan, fn(plan)).opName((change.before ?? change.after)!.op);
  };
  const shown = all ? diff.changes : diff.changes.slice(0, kListed);
  const rewrites = (plan: typeof diff.before) => plan.rewrites.join(", ") || "none";
  const title = (plan: typeof diff.before) => `${plan.policy} on ${plan.device}`;
  return (
    <div class="diff">
      <p class="lead">@{diff.function}: from <b>{title(diff.before)}</b> to <b>{title(diff.after)}</b>: {time(diff.before.time_ns)} to {time(diff.after.time_ns)} ({signedTime(diff.after.time_ns - diff.before.time_ns)}),
        peak L1 {bytes(diff.before.peak_l1_bytes)} to {bytes(diff.after.peak_l1_bytes)}. {plural(diff.paired_ops, "op")} in both, {diff.changes.length} differ.
        {String(diff.before.rewrites) !== String(diff.after.rewrites) ? ` Rewrites of the graph: ${rewrites(diff.before)} to ${rewrites(diff.after)}.` : ""}</p>
      <h3>L1 of each core over time <span class="legend"><span><i style={{ background: colors.before }} />before (dashed)</span><span><i style={{ background: colors.after }} />after</span><span><i style={{ background: selectionColor }} />budget</span></span></h3>
      <Canvas class="both" draw={draw} label="L1 in use over time, of both plans" />
      <table class="changes"><thead><tr><th class="number">time</th><th>op</th><th>before</th><th>after</th></tr></thead>
        <tbody>{shown.map((change, i) => (
          <tr key={i}>
            <td class={`number ${change.delta_ns < 0 ? "gain" : change.delta_ns > 0 ? "loss" : ""}`}>{change.delta_ns < 0 ? "▼ " : change.delta_ns > 0 ? "▲ " : ""}{signedTime(change.delta_ns)}</td>
            <td><button class="link" onClick={() => open(change)}>{nameOf(change)}</button><div class="muted">{change.what.join(", ")}</div></td>
            <td><Side side={change.before} other={change.after} /></td><td><Side side={change.after} other={change.before} /></td>
          </tr>))}</tbody></table>
      {shown.length < diff.changes.length ? <button onClick={() => setAll(true)}>all {diff.changes.length}</button> : null}
    </div>
  );
}
