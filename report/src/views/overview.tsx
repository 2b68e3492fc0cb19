// What a reader must know in ten seconds.
import { useMemo, useState } from "preact/hooks";
import type { JSX } from "preact";
import { boundColors, memoryColors } from "../draw/colors";
import { bytes, percent, plural, time } from "../format";
import { type MemoryKind, Plan, memoryNames } from "../model/plan";
import type { Spill, Totals } from "../model/schema";
import { type TimeBy, timeBy, timeBys } from "../model/timeGroups";
import type { Report } from "../state";
import { type Share, Stack, StepLink, TensorLink } from "./parts";

/** Groups that are drawn. */
const kMostGroups = 12;
/** Of each list of the most expensive steps. */
const kMostSteps = 10;
/** Values of one cause that are listed. */
const kMostListed = 50;

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

const byTitles: Record<TimeBy, string> = { kind: "kind", layer: "layer", bound: "what bounds it", conversion: "conversion" };

/** What `tessera explain --by` says. */
function Where({ report }: { report: Report }): JSX.Element {
  const { plan } = report;
  const [by, setBy] = useState<TimeBy>("bound");
  const groups = useMemo(() => timeBy(plan, by), [plan, by]);
  const most = Math.max(...groups.map((group) => group.time_ns), 1);
  return (
    <section class="where">
      <h2>Where the time is</h2>
      <p>{timeBys.map((each) => <button key={each} aria-pressed={each === by} onClick={() => setBy(each)}>{byTitles[each]}</button>)}</p>
      {groups.length ? (
        <table class="bars"><tbody>{groups.slice(0, kMostGroups).map((group) => (
          <tr key={group.name} title={`${plural(group.steps, "step")}; mostly bound by ${group.bound_by}${group.conversions_ns ? `; ${time(group.conversions_ns)} of it for conversions` : ""}`}>
            <td>{group.name.replace(/^ttnn\./, "")}</td><td class="number">{time(group.time_ns)}</td><td class="number">{percent(group.time_ns / plan.f.after.time_ns)}</td>
            <td class="wide"><span style={{ width: `${(100 * group.time_ns) / most}%`, background: boundColors[group.bound_by] ?? "#999999" }} /></td>
          </tr>))}
        </tbody></table>
      ) : <p class="muted">There are none.</p>}
      {groups.length > kMostGroups ? <p class="muted">and {groups.length - kMostGroups} more: tessera explain --by {by} --top {groups.length}</p> : null}
    </section>
  );
}

function Costliest({ report, kind, title }: { report: Report; kind: "run" | "convert"; title: string }): JSX.Element {
  const { plan } = report;
  const steps = plan.costliest(kind, kMostSteps);
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

const causes: Record<Spill["cause"], string> = {
  backend: "none legal in L1", memory: "no room in L1", faster: "L1 no faster", policy: "not found: L1 has room and would be faster",
};

/** One cause with its values: a click opens them. */
function Cause({ report, cause }: { report: Report; cause: Spill["cause"] }): JSX.Element | null {
  const { plan } = report;
  const spills = plan.f.spills.filter((spill) => spill.cause === cause);
  if (!spills.length) return null;
  return (
    <details>
      <summary><b>{spills.length}</b> {causes[cause]}</summary>
      <ul>{spills.slice(0, kMostListed).map((spill) => (
        <li key={spill.tensor}><TensorLink report={report} tensor={spill.tensor} step={plan.tensor(spill.tensor).made_by} />: {plan.why(spill)}</li>))}
        {spills.length > kMostListed ? <li>and {spills.length - kMostListed} more</li> : null}</ul>
    </details>
  );
}

function Spills({ report }: { report: Report }): JSX.Element {
  const { f } = report.plan;
  return (
    <section class="causes">
      <h2>Why values are read from DRAM</h2>
      {f.spills.length ? (Object.keys(causes) as Spill["cause"][]).map((cause) => <Cause key={cause} report={report} cause={cause} />)
        : <p class="muted">No activation is.</p>}
      <p class="muted">Conversions of the plan: {plural(f.after.reshards, "reshard")}, {plural(f.after.spills, "spill")}, {plural(f.after.reloads, "reload")}, {plural(f.after.returns, "return")}.</p>
    </section>
  );
}

function Rewrites({ report }: { report: Report }): JSX.Element | null {
  const { plan } = report;
  const all = plan.rewritten();
  if (!all.length) return null;
  // What is no gain here may be one elsewhere: a layout that others can read, room.
  const parts = all.filter((part) => part.after_ns < part.before_ns);
  const others = all.length - parts.length;
  return (
    <section>
      <h2>Rewrites of the graph that gained most</h2>
      <ol>{parts.slice(0, 5).map((part, i) => (
        <li key={i}>{part.made.length ? <><StepLink report={report} step={plan.op(part.made[part.made.length - 1]).step} />: </> : null}
          <b>{time(part.before_ns)} to {time(part.after_ns)}</b>, {Plan.rewrittenText(part)}</li>))}
      </ol>
      {parts.length > 5 ? <p class="muted">{plural(parts.length - 5, "part")} more; the details of an op tell of its own.</p> : null}
      {others ? <p class="muted">{plural(others, "part")} by {others === 1 ? "itself" : "themselves"} no gain, in a plan that is faster with {others === 1 ? "it" : "them"}.</p> : null}
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
        <div class="column"><Where report={report} /><Spills report={report} /></div>
        <Costliest report={report} kind="run" title="The ops that take most time" />
        <Costliest report={report} kind="convert" title="The conversions that take most time" />
        <Rewrites report={report} />
      </div>
    </div>
  );
}
