// All steps as a table that sorts and searches; only the rows in view are in the document.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { JSX } from "preact";
import { bytes, time } from "../format";
import type { Plan } from "../model/plan";
import type { Report } from "../state";
import { KindMark } from "./parts";

const kRowHeight = 26;

interface Column { key: string; title: string; number?: boolean; value: (plan: Plan, step: number) => string | number; text?: (plan: Plan, step: number) => string }

const result = (plan: Plan, step: number): string => plan.steps[step].writes.map((t) => plan.layoutOf(t).text).join(", ");

const columns: Column[] = [
  { key: "step", title: "step", number: true, value: (_, step) => step },
  { key: "name", title: "name", value: (plan, step) => plan.stepName(step) },
  { key: "kind", title: "op", value: (plan, step) => plan.stepKind(step).replace(/^ttnn\./, "") },
  { key: "time", title: "time", number: true, value: (plan, step) => plan.steps[step].time.total_ns, text: (plan, step) => time(plan.steps[step].time.total_ns) },
  { key: "bound", title: "bound by", value: (plan, step) => plan.steps[step].time.bound_by },
  { key: "l1", title: "L1", number: true, value: (plan, step) => plan.l1At(step), text: (plan, step) => bytes(plan.l1At(step)) },
  { key: "result", title: "result", value: result },
];

/** With a judgement its column stands last. */
function columnsOf(plan: Plan): Column[] {
  if (!plan.judgement) return columns;
  return [...columns, { key: "verdict", title: plan.judgement.library, value: (of, step) => of.verdictAt(step) }];
}

interface Order { column: number; up: boolean }

function sorted(plan: Plan, steps: number[], order: Order): number[] {
  const { value } = columnsOf(plan)[order.column] ?? columns[0];
  const keys = new Map(steps.map((step) => [step, value(plan, step)]));
  const sign = order.up ? 1 : -1;
  return [...steps].sort((a, b) => {
    const [x, y] = [keys.get(a)!, keys.get(b)!];
    return (x < y ? -sign : x > y ? sign : 0) || a - b;
  });
}

function matches(plan: Plan, step: number, words: string[]): boolean {
  const text = [plan.stepName(step), plan.stepKind(step), result(plan, step), plan.steps[step].config_text, plan.verdictAt(step),
    ...plan.steps[step].writes.map((t) => plan.valueOf(t).name)].join(" ").toLowerCase();
  return words.every((word) => text.includes(word));
}

export function Ops({ report }: { report: Report }): JSX.Element {
  const { plan, view } = report;
  const columns = columnsOf(plan);
  const judged = plan.judgement ? " judged" : "";
  const [search, setSearch] = useState("");
  const [conversions, setConversions] = useState(true);
  const [order, setOrder] = useState<Order>({ column: 0, up: true });
  const [scroll, setScroll] = useState({ top: 0, height: 600 });
  const box = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => {
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    const steps = plan.steps.map((_, i) => i)
      .filter((step) => (conversions || plan.steps[step].kind === "run") && (!words.length || matches(plan, step, words)));
    return sorted(plan, steps, order);
  }, [plan, search, conversions, order]);
  useEffect(() => {
    const element = box.current!;
    const measure = () => setScroll({ top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    // What was selected elsewhere comes into view.
    const place = view.step === null ? -1 : rows.indexOf(view.step);
    const element = box.current!;
    if (place < 0 || (place * kRowHeight >= element.scrollTop && (place + 2) * kRowHeight <= element.scrollTop + element.clientHeight)) return;
    element.scrollTop = Math.max(0, place * kRowHeight - element.clientHeight / 2);
  }, [view.step, rows]);
  const first = Math.max(0, Math.floor(scroll.top / kRowHeight) - 4);
  const last = Math.min(rows.length, Math.ceil((scroll.top + scroll.height) / kRowHeight) + 4);
  const sortBy = (column: number) => setOrder(order.column === column ? { column, up: !order.up } : { column, up: !columns[column].number || column === 0 });
  return (
    <div class="ops">
      <div class="tools">
        <input id="search" type="search" placeholder="search: name, op, layout, value  ( / )" aria-label="Search" value={search}
          onInput={(e) => setSearch(e.currentTarget.value)}
          onKeyDown={(e) => { if (e.key === "Enter" && rows.length) report.select(rows[0]); }} />
        <label><input type="checkbox" checked={conversions} onChange={(e) => setConversions(e.currentTarget.checked)} />conversions</label>
        <span class="muted">{rows.length} of {plan.steps.length} steps</span>
      </div>
      <div class={`row head${judged}`} role="row">
        {columns.map((column, i) => (
          <button key={column.key} role="columnheader" class={`c-${column.key}`} aria-sort={order.column === i ? (order.up ? "ascending" : "descending") : "none"}
            onClick={() => sortBy(i)}>{column.title}{order.column === i ? (order.up ? " ▲" : " ▼") : ""}</button>))}
      </div>
      <div class="scroll" ref={box} role="grid" tabIndex={0} aria-label="Steps" aria-rowcount={rows.length}
        onScroll={(e) => setScroll({ top: e.currentTarget.scrollTop, height: e.currentTarget.clientHeight })}>
        <div style={{ height: `${rows.length * kRowHeight}px`, position: "relative" }}>
          {rows.slice(first, last).map((step, i) => (
            <div key={step} role="row" data-step={step} class={`row ${plan.steps[step].kind}${judged}${step === view.step ? " selected" : ""}`}
              style={{ top: `${(first + i) * kRowHeight}px` }} onClick={() => report.select(step)}>
              {columns.map((column) => (
                <span key={column.key} role="gridcell" class={`c-${column.key}`} title={column.number ? undefined : String(column.value(plan, step))}>
                  {column.key === "result" && plan.steps[step].writes.length ? <KindMark kind={plan.kindOf(plan.steps[step].writes[0])} /> : null}
                  {(column.text ?? column.value)(plan, step)}</span>))}
            </div>))}
        </div>
      </div>
    </div>
  );
}
