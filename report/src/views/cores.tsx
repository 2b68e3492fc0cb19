// Which core holds which part of a tensor at the selected step, and how full each is.
import { useState } from "preact/hooks";
import type { JSX } from "preact";
import { holderColors, memoryColors } from "../draw/colors";
import { bytes } from "../format";
import { coresOf, coreUse, shardOf } from "../model/cores";
import { memoryNames } from "../model/plan";
import { type Share, largestFirst, sharesAt } from "../model/shares";
import type { Report } from "../state";
import { KindMark, Legend, LegendItem, StepLink } from "./parts";

/** A part of what L1 holds: all of them add up to the plan checker's figure. */
function Holding({ report, at, share, selected, held }: { report: Report; at: number; share: Share; selected: boolean; held: boolean }): JSX.Element {
  const { plan } = report;
  const { tensor } = share;
  if (tensor === null) return <li data-bytes={share.bytes}>{share.holder}<div class="muted">{bytes(share.bytes)} on each core that the op runs on</div></li>;
  const [rows, columns] = plan.f.device.grid;
  const data = plan.tensor(tensor);
  const counted = share.bytes === data.l1_bytes ? bytes(share.bytes) : `${bytes(share.bytes)} of its ${bytes(data.l1_bytes)}: ${share.holder === "view" ? "it lies in the other's buffer" : "the rest is not there yet at the op's peak"}`;
  return (
    <li data-bytes={share.bytes} class={`${selected ? "selected" : ""}${held ? " held" : ""}`}>
      <button class="link" onClick={() => report.select(at, selected ? null : tensor)}><KindMark kind={plan.kindOf(tensor)} />{plan.shareName(share)}</button>
      <div class="muted">{counted} on {plan.layoutOf(tensor).cores ? coresOf(plan, plan.layoutOf(tensor)).length : rows * columns} cores, {memoryNames[plan.kindOf(tensor)]} <code>{plan.layoutOf(tensor).text}</code></div>
    </li>
  );
}

export function Cores({ report }: { report: Report }): JSX.Element {
  const { plan, view } = report;
  const at = view.step ?? plan.f.after.peak_step ?? 0;
  const [hovered, setHovered] = useState<number | null>(null);
  if (!plan.steps.length) return <p class="muted">There are no steps.</p>;
  const use = coreUse(plan, at);
  const shares = largestFirst(sharesAt(plan, at));
  const tensor = shares.find((share) => share.tensor !== null && share.tensor === view.tensor)?.tensor ?? null;
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
          <h3>In L1 at this step {bytes(plan.l1At(at))}<small>per core; largest first</small></h3>
          <ul class="holders" data-total={plan.l1At(at)}>{shares.map((share) => <Holding report={report} at={at} share={share} selected={tensor !== null && share.tensor === tensor} held={core?.held.includes(share.tensor ?? -1) ?? false} key={share.tensor ?? share.holder} />)}</ul>
        </div>
      </div>
    </div>
  );
}
