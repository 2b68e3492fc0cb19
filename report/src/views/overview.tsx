// What a reader must know in ten seconds.
import type { JSX } from "preact";
import { boundColors, memoryColors } from "../draw/colors";
import { bytes, percent, plural, time } from "../format";
import { type MemoryKind, Plan, memoryNames } from "../model/plan";
import type { Totals } from "../model/schema";
import type { Report } from "../state";
import { type Share, Stack, StepLink } from "./parts";

const kinds: MemoryKind[] = ["l1_sharded", "l1_interleaved", "dram", "host"];

function Times({ report }: { report: Report }): JSX.Element {
  const { before, after } = report.plan.f;
  const longest = Math.max(before.time_ns, after.time_ns);
  return (
    <section>
      <h2>Time</h2>
      <p class="big">{time(after.time_ns)}<small> after, {time(before.time_ns)} before{after.time_ns > 0 ? `: ${(before.time_ns / after.time_ns).toFixed(2)}x` : ""}</small></p>
      <Stack label="time before" total={longest} shares={[{ name: "before: ops", value: before.time_ns, text: time(before.time_ns), color: "#999999" }]} />
      <Stack label="time after" total={longest} shares={[
        { name: "after: ops", value: after.ops_ns, text: time(after.ops_ns), color: "#0072b2" },
        { name: "conversions", value: after.conversions_ns, text: time(after.conversions_ns), color: "#e69f00" }]} />
      <p class="muted">Estimates of the op model ({report.plan.f.op_model}), not measurements on a chip.</p>
    </section>
  );
}

function Residency({ totals, title }: { totals: Totals; title: string }): JSX.Element {
  const shares = (of: (kind: MemoryKind) => number, text: (value: number) => string): Share[] =>
    kinds.map((kind) => ({ name: memoryNames[kind], value: of(kind), text: text(of(kind)), color: memoryColors[kind] }));
  return (
    <div>
      <h3>{title}</h3>
      <Stack label={`${title}, number`} shares={shares((kind) => totals[kind].count, (n) => plural(n, "value"))} />
      <Stack label={`${title}, bytes`} shares={shares((kind) => totals[kind].bytes, bytes)} />
    </div>
  );
}

function Peak({ report }: { report: Report }): JSX.Element {
  const { f } = report.plan;
  const { after } = f;
  const at = after.peak_step;
  const l1 = at === null ? null : f.steps[at].l1;
  return (
    <section>
      <h2>L1</h2>
      <p class="big">{bytes(after.peak_l1_bytes)}<small> of {bytes(f.budget_bytes)} per core ({percent(after.peak_l1_bytes / f.budget_bytes)})
        {at !== null ? <> at <StepLink report={report} step={at} /></> : null}</small></p>
      {l1 ? <Stack label="L1 at the peak" total={f.budget_bytes} shares={[
        { name: "tensors", value: l1.tensors_bytes, text: bytes(l1.tensors_bytes), color: "#0072b2" },
        { name: "circular buffers", value: l1.buffers_bytes, text: bytes(l1.buffers_bytes), color: "#009e73" },
        { name: "margin", value: l1.margin_bytes, text: bytes(l1.margin_bytes), color: "#8a8a8a" }]} /> : null}
      {f.clashes.length ? (
        <ul class="warnings">{f.clashes.slice(0, 5).map((clash) => (
          <li>{clash.kind === "clash" ? "Circular buffers run into a tensor" : "No hole is large enough"}
            {clash.step !== null ? <> at <StepLink report={report} step={clash.step} /></> : null}: {bytes(clash.missing_bytes)} are missing</li>))}
        </ul>
      ) : <p class="muted">The device's allocator finds an address for everything.</p>}
    </section>
  );
}

function Bounds({ report }: { report: Report }): JSX.Element {
  const sums = new Map<string, number>();
  for (const step of report.plan.steps) sums.set(step.time.bound_by, (sums.get(step.time.bound_by) ?? 0) + step.time.total_ns);
  const shares = [...sums].sort((a, b) => b[1] - a[1])
    .map(([name, value]) => ({ name, value, text: percent(value / report.plan.f.after.time_ns), color: boundColors[name] ?? "#999999" }));
  return (
    <section>
      <h2>What bounds the time</h2>
      <Stack label="time by what bounds it" shares={shares} />
      <p class="muted">{shares.length ? `Steps that ${shares[0].name} bounds take ${shares[0].text} of it.` : "There are no steps."}</p>
    </section>
  );
}

function Costliest({ report, kind, title }: { report: Report; kind: "run" | "convert"; title: string }): JSX.Element {
  const { plan } = report;
  const steps = plan.costliest(kind, 3);
  return (
    <section>
      <h2>{title}</h2>
      {steps.length ? (
        <ol>{steps.map((step) => (
          <li key={step}><StepLink report={report} step={step} /> <b>{time(plan.steps[step].time.total_ns)}</b> ({percent(plan.steps[step].time.total_ns / plan.f.after.time_ns)}): {plan.sentence(step)}</li>
        ))}</ol>
      ) : <p class="muted">There are none.</p>}
    </section>
  );
}

function Spills({ report }: { report: Report }): JSX.Element {
  const { f } = report.plan;
  const causes = { backend: "no layout in L1 is legal", memory: "no room in L1", faster: "DRAM takes less time", policy: "L1 fits and is faster, not found" };
  const counts = Object.entries(causes).map(([cause, name]) => ({ name, count: f.spills.filter((spill) => spill.cause === cause).length }));
  return (
    <section>
      <h2>Why values are read from DRAM</h2>
      {f.spills.length ? <table class="plain"><tbody>{counts.filter((each) => each.count).map((each) => <tr><td class="number">{each.count}</td><td>{each.name}</td></tr>)}</tbody></table>
        : <p class="muted">No activation is.</p>}
      <p class="muted">{plural(f.after.reshards, "reshard")}, {plural(f.after.spills, "spill")}, {plural(f.after.reloads, "reload")}, {plural(f.after.returns, "return")}.</p>
    </section>
  );
}

function Rewrites({ report }: { report: Report }): JSX.Element | null {
  const { plan } = report;
  const parts = plan.rewritten();
  if (!parts.length) return null;
  return (
    <section>
      <h2>Rewrites of the graph that gained most</h2>
      <ol>{parts.slice(0, 5).map((part, i) => (
        <li key={i}>{part.made.length ? <><StepLink report={report} step={plan.op(part.made[part.made.length - 1]).step} />: </> : null}
          <b>{time(part.before_ns)} to {time(part.after_ns)}</b>, {Plan.rewrittenText(part)}</li>))}
      </ol>
      {parts.length > 5 ? <p class="muted">{plural(parts.length - 5, "part")} more; the details of an op tell of its own.</p> : null}
    </section>
  );
}

export function Overview({ report }: { report: Report }): JSX.Element {
  const { f } = report.plan;
  return (
    <div class="overview">
      <p class="lead">@{f.function}: {plural(f.ops.length, "op")} in {plural(f.steps.length, "step")}, decided by policy <b>{f.policy}</b> for <b>{f.device.name}</b> ({f.device.grid[0]}x{f.device.grid[1]} cores).</p>
      <div class="tiles">
        <Times report={report} />
        <Peak report={report} />
        <section>
          <h2>Where activations live</h2>
          <Residency totals={f.before} title="before" />
          <Residency totals={f.after} title="after" />
        </section>
        <div class="column"><Bounds report={report} /><Spills report={report} /></div>
        <Costliest report={report} kind="run" title="The ops that take most time" />
        <Costliest report={report} kind="convert" title="The conversions that take most time" />
        <Rewrites report={report} />
      </div>
    </div>
  );
}
