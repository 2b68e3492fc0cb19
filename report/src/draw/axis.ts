// The axis of steps or time that the strips of the memory view share.
import type { Plan } from "../model/plan";

export type Unit = "step" | "time";

/** What is in view, in units of the axis. */
export interface Span { from: number; to: number }

export class StepAxis {
  constructor(readonly plan: Plan, readonly unit: Unit, readonly span: Span, readonly left: number, readonly right: number) {}

  static whole(plan: Plan, unit: Unit): Span {
    return { from: 0, to: Math.max(unit === "step" ? plan.steps.length : plan.starts[plan.steps.length], 1e-9) };
  }

  /** Where a step begins. */
  begin(step: number): number { return this.unit === "step" ? step : this.plan.starts[step]; }
  x(value: number): number { return this.left + ((value - this.span.from) / (this.span.to - this.span.from)) * (this.right - this.left); }
  value(x: number): number { return this.span.from + ((x - this.left) / (this.right - this.left)) * (this.span.to - this.span.from); }
  stepX(step: number): number { return this.x(this.begin(step)); }

  /** The step at a place; the last that begins there or before. */
  step(x: number): number {
    const value = this.value(x);
    const last = this.plan.steps.length - 1;
    if (this.unit === "step") return Math.min(Math.max(Math.floor(value), 0), last);
    let [low, high] = [0, last];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.plan.starts[middle] <= value) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Steps in view. */
  get first(): number { return this.step(this.left); }
  get last(): number { return this.step(this.right); }
}

/** `span` made `factor` as wide around `value`, within `whole`. */
export function zoomed(span: Span, whole: Span, value: number, factor: number, least: number): Span {
  const width = Math.min(Math.max((span.to - span.from) * factor, least), whole.to - whole.from);
  const share = (value - span.from) / (span.to - span.from);
  return moved({ from: value - share * width, to: value - share * width + width }, whole, 0);
}

export function moved(span: Span, whole: Span, by: number): Span {
  const width = span.to - span.from;
  const from = Math.min(Math.max(span.from + by, whole.from), whole.to - width);
  return { from, to: from + width };
}
