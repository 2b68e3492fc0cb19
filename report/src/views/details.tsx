// The panel on one step: what `tessera explain` says of an op.
import type { ComponentChildren, JSX } from "preact";
import { boundColors } from "../draw/colors";
import { bytes, hex, percent, plural, signedTime, time } from "../format";
import { type Explanation, explain } from "../model/explain";
import { otherwise } from "../model/otherwise";
import type { Plan } from "../model/plan";
import type { Rewritten } from "../model/schema";
import { largestFirst, sharesAt } from "../model/shares";
import type { Report } from "../state";
import { KindMark, StepLink, TensorLink } from "./parts";

const kMostListed = 6;

function Row({ name, children }: { name: string; children: ComponentChildren }): JSX.Element {
  return <><dt>{name}</dt><dd>{children}</dd></>;
}

function distinct(list: number[]): number[] { return [...new Set(list)]; }

function Tensors({ report, tensors, at, verb }: { report: Report; tensors: number[]; at: number; verb: "reads" | "makes" }): JSX.Element {
  const { plan } = report;
  return <>{distinct(tensors).map((tensor) => (
    <Row name={verb} key={tensor}>
      <KindMark kind={plan.kindOf(tensor)} /><TensorLink report={report} tensor={tensor} step={at} /> {plan.shape(plan.valueOf(tensor))} in <code>{plan.layoutOf(tensor).text}</code>
      {plan.tensor(tensor).l1_bytes ? `, ${bytes(plan.tensor(tensor).l1_bytes)} per core` : ""}
      {plan.tensor(tensor).address ? ` at ${hex(plan.tensor(tensor).address![0])}` : ""}
      {verb === "reads" ? `, ${plan.origin(tensor, at)}` : plan.tensor(tensor).returned ? "; returned" : ""}
    </Row>
  ))}</>;
}

function Readers({ report, tensors }: { report: Report; tensors: number[] }): JSX.Element {
  const { plan } = report;
  const readers = distinct(tensors.flatMap((tensor) => plan.tensor(tensor).readers));
  if (!readers.length) return <></>;
  return (
    <Row name="read by">
      {readers.slice(0, kMostListed).map((step) => <><StepLink report={report} step={step} key={step} /> </>)}
      {readers.length > kMostListed ? `and ${readers.length - kMostListed} more` : ""}
    </Row>
  );
}

function TimeParts({ plan, step }: { plan: Plan; step: number }): JSX.Element {
  const t = plan.steps[step].time;
  const parts: [string, number][] = [["compute", t.compute_ns], ["L1", t.l1_ns], ["NoC", t.noc_ns], ["DRAM", t.dram_ns], ["dispatch", t.dispatch_ns]];
  return (
    <section>
      <h3>Time {time(t.total_ns)}<small> of {time(plan.f.after.time_ns)} ({percent(t.total_ns / plan.f.after.time_ns)}), bound by {t.bound_by}</small></h3>
      <table class="bars"><tbody>{parts.map(([name, value]) => (
        <tr key={name}><td>{name}</td><td class="number">{time(value)}</td>
          <td class="wide"><span style={{ width: `${(100 * value) / (Math.max(t.total_ns, ...parts.map((p) => p[1])) || 1)}%`, background: boundColors[name] }} /></td></tr>))}
      </tbody></table>
      <p class="muted">Parts overlap.</p>
    </section>
  );
}

function L1({ report, at }: { report: Report; at: number }): JSX.Element {
  const { plan } = report;
  const step = plan.steps[at];
  const shares = largestFirst(sharesAt(plan, at));
  const others = shares.slice(kMostListed);
  // Cores of one program may have different buffers: then those listed are more than the fullest core holds.
  const onOneCore = (program: string) => step.circular_buffers.reduce((sum, each) => sum + (each.program === program ? each.bytes : 0), 0) <= step.l1.buffers_bytes;
  const programs = distinctTexts(step.circular_buffers.map((each) => each.program));
  return (
    <section>
      <h3>L1 {bytes(plan.l1At(at))}<small> of {bytes(plan.f.budget_bytes)} per core</small></h3>
      <ul>{shares.slice(0, kMostListed).map((share) => (
        <li key={share.tensor ?? share.holder}>{bytes(share.bytes)} {share.tensor === null ? share.holder
          : <><TensorLink report={report} tensor={share.tensor} step={at} />{plan.shareName(share).slice(plan.valueName(share.tensor).length)}, until {plan.until(share.tensor)}</>}</li>))}
        {others.length ? <li>{bytes(others.reduce((sum, share) => sum + share.bytes, 0))} {others.length} more</li> : null}</ul>
      {programs.map((program) => (
        <table class="plain" key={program}>
          <caption>circular buffers{programs.length > 1 || program ? ` of ${program}` : ""}{onOneCore(program) ? "" : ", not all on one core"}</caption>
          <tbody>{step.circular_buffers.filter((each) => each.program === program).map((each, i) => (
            <tr key={i}><td>{each.holds}</td><td class="number">{plural(each.pages, "page")}</td><td class="number">{bytes(each.bytes)}</td></tr>))}</tbody>
        </table>))}
    </section>
  );
}

function distinctTexts(list: string[]): string[] { return [...new Set(list)]; }

function Spills({ report, explained }: { report: Report; explained: Explanation }): JSX.Element {
  if (!explained.spills.length && !explained.spilled_for_it.length) return <></>;
  return (
    <section>
      <h3>DRAM</h3>
      <ul>
        {explained.spills.map((spill) => <li>{spill.name} is read from DRAM: {report.plan.why(spill)}</li>)}
        {explained.spilled_for_it.map((spill) => (
          <li>spilled for it: <TensorLink report={report} tensor={spill.tensor} step={explained.step} />, {bytes(spill.missing_bytes)} would be missing with it in L1</li>))}
      </ul>
    </section>
  );
}

function RunnersUp({ plan, explained }: { plan: Plan; explained: Explanation }): JSX.Element {
  if (!explained.runners_up.length)
    return <section><h3>Instead</h3><p class="muted">{explained.role === "fixed" ? "Nothing: the op keeps the layouts of the input." : "Nothing else is legal here."}</p></section>;
  const op = plan.op(plan.steps[explained.step].op!);
  return (
    <section>
      <h3>Instead<small>all else as it is; {plural(explained.considered, "way")} priced</small></h3>
      <table class="runners"><thead><tr><th>plan's time</th><th>result; what else differs; why not</th></tr></thead>
        <tbody>{explained.runners_up.map((other, i) => (
          <tr key={i}><td class="number">{signedTime(other.delta_ns)}</td>
            <td><code>{other.outputs.join(", ")}</code><br /><span class="muted">{otherwise(plan, op, op.runners_up[i])}</span><br />{plan.verdict(op.runners_up[i])}</td></tr>))}
        </tbody></table>
    </section>
  );
}

function TensorFacts({ report, tensor }: { report: Report; tensor: number }): JSX.Element {
  const { plan } = report;
  const data = plan.tensor(tensor);
  const layout = plan.layoutOf(tensor);
  return (
    <section class="tensor">
      <h3>{plan.valueName(tensor)}</h3>
      <dl>
        <Row name="layout"><KindMark kind={plan.kindOf(tensor)} /><code>{layout.text}</code></Row>
        <Row name="shape">{plan.shape(plan.valueOf(tensor))}</Row>
        <Row name="bytes">{data.l1_bytes ? `${bytes(data.l1_bytes)} per core, ` : ""}{bytes(data.total_bytes)} in all</Row>
        {data.address ? <Row name="address">{hex(data.address[0])} to {hex(data.address[1])} of each bank</Row> : null}
        {data.dram_address ? <Row name="address">{hex(data.dram_address[0])} to {hex(data.dram_address[1])} of each DRAM bank</Row> : null}
        <Row name="lives">steps {data.begin} to {data.end - 1}{data.made_by !== null ? <>, made by <StepLink report={report} step={data.made_by} /></> : ", there from the start"}{data.returned ? ", returned" : ""}</Row>
        <Readers report={report} tensors={[tensor]} />
      </dl>
    </section>
  );
}

function RewrittenFrom({ part }: { part: Rewritten }): JSX.Element {
  return (
    <section>
      <h3>Rewritten <small>{part.rewrites.join(", ")}: {part.class === "exact" ? "the same bits" : "rounds elsewhere"}</small></h3>
      <p>{time(part.before_ns)} for {plural(part.from.length, "op")} of the input as planned, {time(part.after_ns)} for {plural(part.made.length, "op")} now.</p>
      <ul>{part.from.map((op) => <li key={op.location}>{op.location} <span class="muted">{op.name}, {op.makes}</span></li>)}</ul>
    </section>
  );
}

export function Details({ report }: { report: Report }): JSX.Element {
  const { plan, view } = report;
  const { step: at, tensor } = view;
  const step = at === null ? null : plan.steps[at];
  const moved = at === null ? "" : plan.spillWhy(at);
  const explained = step && step.kind === "run" && step.op !== null ? explain(plan, step.op) : null;
  return (
    <aside aria-label="Details">
      <button class="close" aria-label="Close details" onClick={() => report.select(null)}>×</button>
      {step !== null && at !== null ? (
        <>
          <h2>{plan.stepName(at)}</h2>
          <p class="muted">{plan.stepKind(at)}, step {at} of {plan.steps.length}</p>
          <p class="goto">{(["memory", "ops", "graph", "cores"] as const).filter((tab) => tab !== view.tab).map((tab) => (
            <button key={tab} onClick={() => report.set({ tab })}>in {tab}</button>))}</p>
          {tensor !== null ? <TensorFacts report={report} tensor={tensor} /> : null}
          <dl>
            <Tensors report={report} tensors={step.writes} at={at} verb="makes" />
            {step.config_text ? <Row name="runs as">{step.config_text}</Row> : null}
            <Tensors report={report} tensors={step.reads} at={at} verb="reads" />
            <Readers report={report} tensors={step.writes} />
          </dl>
          {explained?.rewritten ? <RewrittenFrom part={explained.rewritten} /> : null}
          {moved ? <section><h3>Why it leaves L1</h3><p>{moved}</p></section> : null}
          <TimeParts plan={plan} step={at} />
          <L1 report={report} at={at} />
          {explained ? <><Spills report={report} explained={explained} /><RunnersUp plan={plan} explained={explained} /></> : null}
        </>
      ) : tensor !== null ? <TensorFacts report={report} tensor={tensor} /> : null}
    </aside>
  );
}
