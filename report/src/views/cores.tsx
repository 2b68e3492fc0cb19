// Which core holds which part of a tensor at the selected step, and how full each is.
import { useState } from "preact/hooks";
import type { JSX } from "preact";
import { holderColors, memoryColors } from "../draw/colors";
import { bytes } from "../format";
import { coresOf, coreUse, shardOf } from "../model/cores";
import { memoryNames } from "../model/plan";
import type { Report } from "../state";
import { KindMark, Legend, LegendItem, StepLink } from "./parts";

export function Cores({ report }: { report: Report }): JSX.Element {
  const { plan, view } = report;
  const at = view.step ?? plan.f.after.peak_step ?? 0;
  const [hovered, setHovered] = useState<number | null>(null);
  if (!plan.steps.length) return <p class="muted">There are no steps.</p>;
  const use = coreUse(plan, at);
  const holders = plan.holdersAt(at).sort((a, b) => plan.tensor(b).l1_bytes - plan.tensor(a).l1_bytes || a - b);
  const tensor = view.tensor !== null && holders.includes(view.tensor) ? view.tensor : null;
  const holds = new Set(tensor === null ? [] : coresOf(plan, plan.layoutOf(tensor)).map(({ x, y }) => y * plan.f.device.grid[1] + x));
  const room = plan.f.device.l1_bytes - plan.f.device.l1_reserved_bytes - plan.f.device.l1_small_bytes;
  const [rows, columns] = plan.f.device.grid;
  const core = hovered === null ? null : use[hovered];
  const shardText = (x: number, y: number) => {
    const shard = tensor === null ? null : shardOf(plan, tensor, { x, y });
    return shard ? `${shard.index}` : "";
  };
  const describe = (i: number): string => {
    const { x, y, tensors, buffers } = use[i];
    const shard = tensor === null ? null : shardOf(plan, tensor, { x, y });
    return `core x ${x}, y ${y}: tensors ${bytes(tensors)}, circular buffers ${bytes(buffers)}${shard ? `; shard ${shard.index}, rows ${shard.rows[0]} to ${shard.rows[1] - 1}, columns ${shard.columns[0]} to ${shard.columns[1] - 1}` : ""}`;
  };
  return (
    <div class="cores">
      <p class="lead">L1 of each core at <StepLink report={report} step={at} />{view.step === null ? ", where it is fullest" : ""} (step {at}). A tensor shows where its shards lie.</p>
      <div class="cores-columns">
        <div>
          <div class="core-grid" style={{ gridTemplateColumns: `repeat(${columns}, 1fr)` }} role="grid" aria-label={`${rows} rows of ${columns} cores`}>
            {use.map((each, i) => (
              <div key={i} role="gridcell" tabIndex={0} aria-label={describe(i)} class={`core${holds.has(i) ? " holds" : tensor !== null ? " without" : ""}`}
                onPointerEnter={() => setHovered(i)} onFocus={() => setHovered(i)}>
                <span class="fill" style={{ height: `${(100 * each.tensors) / room}%`, background: memoryColors.l1_sharded }} />
                <span class="fill buffers" style={{ height: `${(100 * each.buffers) / room}%`, background: holderColors.buffers }} />
                <b>{shardText(each.x, each.y)}</b><small>{Math.round((100 * (each.tensors + each.buffers)) / room)} %</small>
              </div>))}
          </div>
          <Legend><LegendItem color={memoryColors.l1_sharded}>tensors, from the top</LegendItem><LegendItem color={holderColors.buffers}>circular buffers, from the bottom</LegendItem><span>bold: number of the shard</span></Legend>
          <p aria-live="polite" class="core-text">{core === null ? "Point at a core to read what it holds." : describe(hovered!)}</p>
        </div>
        <div class="panel">
          <h3>In L1 at this step<small>largest first</small></h3>
          {holders.length ? (
            <ul class="holders">{holders.map((t) => (
              <li key={t} class={`${t === tensor ? "selected" : ""}${core && core.held.includes(t) ? " held" : ""}`}>
                <button class="link" onClick={() => report.select(at, t === tensor ? null : t)}><KindMark kind={plan.kindOf(t)} />{plan.valueName(t)}</button>
                <div class="muted">{bytes(plan.tensor(t).l1_bytes)} on {plan.layoutOf(t).cores ? coresOf(plan, plan.layoutOf(t)).length : rows * columns} cores, {memoryNames[plan.kindOf(t)]} <code>{plan.layoutOf(t).text}</code></div>
              </li>))}</ul>
          ) : <p class="muted">No tensor. Circular buffers only.</p>}
        </div>
      </div>
    </div>
  );
}
