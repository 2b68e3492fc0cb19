// What the reader looks at. It is kept in the address (#...), so that a link or the back button leads to the same place.
import { useEffect, useState } from "preact/hooks";
import { Plan } from "./model/plan";
import type { ReportData } from "./model/schema";

export const tabs = ["overview", "memory", "ops", "graph", "cores", "diff"] as const;
export type Tab = (typeof tabs)[number];

export interface View {
  tab: Tab;
  /** Which of the plans, and which function of it. */
  plan: number;
  fn: number;
  step: number | null;
  tensor: number | null;
}

export class Report {
  view: View = { tab: "overview", plan: 0, fn: 0, step: null, tensor: null };
  private readonly plans = new Map<string, Plan>();
  private readonly listeners = new Set<() => void>();

  constructor(readonly data: ReportData) {
    this.view = this.fromHash();
    addEventListener("hashchange", () => { this.view = this.fromHash(); this.tell(); });
  }

  get plan(): Plan { return this.planOf(this.view.plan, this.view.fn); }

  planOf(plan: number, fn: number): Plan {
    const key = `${plan}/${fn}`;
    let found = this.plans.get(key);
    if (!found) this.plans.set(key, (found = new Plan(this.data.plans[plan].functions[fn], plan === 0 ? this.data.judgement : undefined)));
    return found;
  }

  set(change: Partial<View>): void {
    const other = (change.plan ?? this.view.plan) !== this.view.plan || (change.fn ?? this.view.fn) !== this.view.fn;
    const next = { ...this.view, ...(other ? { step: null, tensor: null } : {}), ...change };
    if (JSON.stringify(next) === JSON.stringify(this.view)) return;
    const tab = next.tab !== this.view.tab;
    this.view = next;
    // Only changes of the view are steps of the back button: one for each op that was looked at would bury them.
    history[tab ? "pushState" : "replaceState"](null, "", this.hash());
    this.tell();
  }

  /** Selects a step; the tensor is one of it, or none. */
  select(step: number | null, tensor: number | null = null): void { this.set({ step, tensor }); }

  listen(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => { this.listeners.delete(listener); };
  }

  private tell(): void { for (const listener of this.listeners) listener(); }

  private hash(): string {
    const { tab, plan, fn, step, tensor } = this.view;
    const parts = [tab];
    if (plan) parts.push(`plan=${plan}` as Tab);
    if (fn) parts.push(`fn=${fn}` as Tab);
    if (step !== null) parts.push(`step=${step}` as Tab);
    if (tensor !== null) parts.push(`tensor=${tensor}` as Tab);
    return `#${parts.join("&")}`;
  }

  private fromHash(): View {
    const [tab, ...rest] = location.hash.slice(1).split("&");
    const values = new Map(rest.map((part) => part.split("=") as [string, string]));
    const number = (key: string, size: number): number | null => {
      const value = Number(values.get(key));
      return values.has(key) && Number.isInteger(value) && value >= 0 && value < size ? value : null;
    };
    const plan = number("plan", this.data.plans.length) ?? 0;
    const functions = this.data.plans[plan].functions;
    const fn = number("fn", functions.length) ?? 0;
    return {
      tab: tabs.includes(tab as Tab) ? (tab as Tab) : "overview", plan, fn,
      step: number("step", functions[fn].steps.length), tensor: number("tensor", functions[fn].tensors.length),
    };
  }
}

/** The view, and again whenever it changes. */
export function useView(report: Report): View {
  const [, again] = useState(0);
  useEffect(() => report.listen(() => again((n) => n + 1)), [report]);
  return report.view;
}
