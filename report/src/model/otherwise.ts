// What a runner-up does otherwise than the plan, as lib/Optimizer/Decisions/Otherwise.cpp has it.
import type { Plan } from "./plan";
import type { Op, RunnerUp } from "./schema";

/** The values of an object by "outer.inner", as text. */
function flatten(value: unknown, key: string, out: Map<string, string>): void {
  if (value !== null && typeof value === "object" && !Array.isArray(value))
    for (const [name, inner] of Object.entries(value)) flatten(inner, key ? `${key}.${name}` : name, out);
  else out.set(key, JSON.stringify(value));
}

/** The keys in which two values differ. */
function different(a: unknown, b: unknown): string[] {
  const left = new Map<string, string>(), right = new Map<string, string>();
  flatten(a, "", left);
  flatten(b, "", right);
  return [...new Set([...left.keys(), ...right.keys()])].filter((key) => left.get(key) !== right.get(key)).sort();
}

/** "l1/block_sharded/8x8", or with what is not in these words. */
function layoutBeside(plan: Plan, other: number, now: number): string {
  const { text: otherText, ...layout } = plan.f.layouts[other], { text, ...taken } = plan.f.layouts[now];
  return otherText !== text ? otherText : `${text} with other ${different(layout, taken).join(", ")}`;
}

export function otherwise(plan: Plan, op: Op, other: RunnerUp): string {
  const step = plan.steps[op.step];
  const layoutOf = (tensor: number) => plan.tensor(tensor).layout;
  const textOf = (layout: number) => plan.f.layouts[layout].text;
  const parts: string[] = [];
  other.outputs.forEach((layout, i) => {
    if (i >= step.writes.length) return;
    const now = layoutOf(step.writes[i]);
    if (layout !== now && textOf(layout) === textOf(now)) parts.push(`result in ${layoutBeside(plan, layout, now)}`);
  });
  other.inputs.forEach((layout, i) => {
    if (i >= step.reads.length) return;
    const now = layoutOf(step.reads[i]);
    if (layout !== now) parts.push(`operand ${i} in ${layoutBeside(plan, layout, now)}`);
  });
  const keys = different(other.config, step.config);
  if (other.config_text !== step.config_text) parts.push(other.config_text || "no configuration");
  else if (keys.length) parts.push(`another ${keys.join(", ")}`);
  return parts.join("; ");
}
