import { useEffect, useRef, useState } from "preact/hooks";
import type { JSX } from "preact";
import { type Report, type Tab, tabs, useView } from "./state";
import { Cores } from "./views/cores";
import { Details } from "./views/details";
import { Diff } from "./views/diff";
import { Graph } from "./views/graph";
import { Memory } from "./views/memory";
import { Ops } from "./views/ops";
import { Overview } from "./views/overview";

const names: Record<Tab, string> = {
  overview: "Overview", memory: "Memory", ops: "Ops", graph: "Graph", cores: "Cores", diff: "Diff",
};
const views: Record<Tab, (props: { report: Report }) => JSX.Element> = {
  overview: Overview, memory: Memory, ops: Ops, graph: Graph, cores: Cores, diff: Diff,
};

type ThemeChoice = "auto" | "light" | "dark";

function applyTheme(choice: ThemeChoice): void {
  if (choice === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = choice;
  dispatchEvent(new Event("themechange"));
}

function shortcuts(report: Report, help: (update: (on: boolean) => boolean) => void) {
  return (event: KeyboardEvent): void => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.matches("input, select, textarea")) {
      if (event.key === "Escape") target.blur();
      return;
    }
    const { step } = report.view;
    const last = report.plan.steps.length - 1;
    const shown = tabs.filter((tab) => tab !== "diff" || report.data.diffs.length > 0);
    const number = Number(event.key);
    if (number >= 1 && number <= shown.length) report.set({ tab: shown[number - 1] });
    else if (event.key === "/") {
      event.preventDefault();
      const inGraph = report.view.tab === "graph"; // which has a search of its own
      if (!inGraph) report.set({ tab: "ops" });
      requestAnimationFrame(() => document.querySelector<HTMLInputElement>(inGraph ? "#graph-search" : "#search")?.focus());
    } else if (event.key === "j" || event.key === "n") report.select(step === null ? 0 : Math.min(step + 1, last));
    else if (event.key === "k" || event.key === "p") report.select(step === null ? 0 : Math.max(step - 1, 0));
    else if (event.key === "Escape") { help(() => false); report.select(null); }
    else if (event.key === "?") help((on) => !on);
  };
}

function Help({ close }: { close: () => void }): JSX.Element {
  const rows: [string, string][] = [
    ["1 … 6", "the views"], ["/", "search ops, or find them in the graph"], ["j, k", "the next step and the one before"],
    ["← →", "in the memory view: scroll"], ["+ − 0", "in the memory view and the graph: zoom, all of it"], ["Esc", "select nothing"], ["?", "this"],
  ];
  return (
    <div class="help" role="dialog" aria-label="Keys" onClick={close}>
      <table><tbody>{rows.map(([key, what]) => <tr><td><kbd>{key}</kbd></td><td>{what}</td></tr>)}</tbody></table>
    </div>
  );
}

function Header({ report }: { report: Report }): JSX.Element {
  const { view, data, plan } = report;
  const [choice, setChoice] = useState<ThemeChoice>("auto");
  useEffect(() => applyTheme(choice), [choice]);
  const shown = tabs.filter((tab) => tab !== "diff" || data.diffs.length > 0);
  const title = (i: number) => {
    const f = data.plans[i].functions[0];
    return `${f.policy} on ${f.device.name}${data.plans[i].input === data.plans[0].input ? "" : ` (${data.plans[i].input})`}`;
  };
  return (
    <header>
      <h1 title={data.plans[view.plan].input}>{data.plans[view.plan].input.split("/").pop()}</h1>
      <nav role="tablist" aria-label="Views">
        {shown.map((tab, i) => (
          <button role="tab" key={tab} id={`tab-${tab}`} aria-selected={view.tab === tab} title={`key ${i + 1}`}
            onClick={() => report.set({ tab })}>{names[tab]}</button>
        ))}
      </nav>
      <span class="grow" />
      {data.plans.length > 1 ? (
        <select aria-label="Plan" value={view.plan} onChange={(e) => report.set({ plan: Number(e.currentTarget.value), fn: 0 })}>
          {data.plans.map((_, i) => <option value={i}>{i ? "after: " : "before: "}{title(i)}</option>)}
        </select>
      ) : <span class="muted">{plan.f.policy} on {plan.f.device.name}</span>}
      {data.plans[view.plan].functions.length > 1 ? (
        <select aria-label="Function" value={view.fn} onChange={(e) => report.set({ fn: Number(e.currentTarget.value) })}>
          {data.plans[view.plan].functions.map((f, i) => <option value={i}>@{f.function}</option>)}
        </select>
      ) : null}
      <select aria-label="Theme" value={choice} onChange={(e) => setChoice(e.currentTarget.value as ThemeChoice)}>
        <option value="auto">theme: system</option><option value="light">light</option><option value="dark">dark</option>
      </select>
    </header>
  );
}

export function App({ report }: { report: Report }): JSX.Element {
  const view = useView(report);
  const [help, setHelp] = useState(false);
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    const listener = shortcuts(report, setHelp);
    addEventListener("keydown", listener);
    return () => removeEventListener("keydown", listener);
  }, [report]);
  const Shown = views[view.tab === "diff" && !report.data.diffs.length ? "overview" : view.tab];
  return (
    <>
      <Header report={report} />
      <div class="columns">
        <main ref={main} class={`view-${view.tab}`}><Shown report={report} key={`${view.plan}/${view.fn}`} /></main>
        {view.step !== null || view.tensor !== null ? <Details report={report} /> : null}
      </div>
      {help ? <Help close={() => setHelp(false)} /> : null}
    </>
  );
}
