// What `tessera explain --op NAME --json` says of an op (toJson in lib/Driver/Modules/DecisionText.cpp): the details are drawn from this, and a test
// holds it equal for every op.
import type { Plan } from "./plan";
import { type Share, sharesAt } from "./shares";
import type { Rewritten, RunnerUp, Spill, Step, Tensor } from "./schema";

export interface NamedTensor extends Omit<Tensor, "layout"> { tensor: number; name: string; layout: string }
export interface NamedShare extends Share { name: string }
export interface NamedSpill extends Spill { name: string }
export interface NamedRunnerUp extends Omit<RunnerUp, "outputs" | "inputs"> { outputs: string[]; inputs: string[] }

export interface Explanation {
  name: string; location: string; role: string; operands: number[]; results: number[]; step: number; considered: number;
  runners_up: NamedRunnerUp[];
  function: string; policy: string; device: string; budget_bytes: number;
  run: Step;
  reads: NamedTensor[]; writes: NamedTensor[]; holders: NamedTensor[];
  l1_shares: NamedShare[];
  spills: NamedSpill[]; spilled_for_it: NamedSpill[];
  rewritten: Rewritten | null;
}

export function explain(plan: Plan, index: number): Explanation {
  const { f } = plan;
  const op = plan.op(index);
  const run = f.steps[op.step];
  const named = (tensor: number): NamedTensor => ({
    ...plan.tensor(tensor), tensor, name: plan.valueOf(tensor).name, layout: plan.layoutOf(tensor).text,
  });
  const texts = (layouts: number[]) => layouts.map((each) => f.layouts[each].text);
  const spill = (i: number): NamedSpill => ({ ...f.spills[i], name: plan.valueOf(f.spills[i].tensor).name });
  const own = [...new Set(op.results)].flatMap((value) => plan.spillsOfValue(value)).sort((a, b) => a - b);
  return {
    ...op,
    runners_up: op.runners_up.map((other) => ({ ...other, outputs: texts(other.outputs), inputs: texts(other.inputs) })),
    function: f.function, policy: f.policy, device: f.device.name, budget_bytes: f.budget_bytes,
    run,
    reads: run.reads.map(named), writes: run.writes.map(named), holders: plan.holdersAt(op.step).map(named),
    l1_shares: sharesAt(plan, op.step).map((share) => ({ ...share, name: plan.shareName(share) })),
    spills: own.map(spill),
    // One that DRAM is faster for has a step where it would not fit either, but it did not leave for the op there.
    spilled_for_it: plan.spillsAtStep(op.step).filter((i) => !own.includes(i) && f.spills[i].cause === "memory").map(spill),
    rewritten: f.rewrites?.find((part) => part.made.includes(index)) ?? null,
  };
}
