// One function of a decisions file with what its parts are called, in the words of `tessera explain`, and what is looked up often.
import { bytes, time } from "../format";
import { otherwise } from "./otherwise";
import { type Share, sharesAt } from "./shares";
import type { FunctionDecisions, JudgedOp, Judgement, Layout, Op, Range, Rewritten, RunnerUp, Spill, Step, Tensor, Value } from "./schema";

export type MemoryKind = "l1_sharded" | "l1_interleaved" | "dram" | "host";
export const memoryNames: Record<MemoryKind, string> = {
  l1_sharded: "L1 sharded", l1_interleaved: "L1 interleaved", dram: "DRAM", host: "host",
};

export function memoryKind(layout: Layout): MemoryKind {
  if (layout.buffer === "l1" || layout.buffer === "l1_small")
    return layout.memory === undefined || layout.memory === "interleaved" ? "l1_interleaved" : "l1_sharded";
  return layout.buffer === "dram" ? "dram" : "host";
}

export function signedTimeOf(ns: number): string {
  return (ns < 0 ? "-" : "+") + time(Math.abs(ns));
}

/** What the library says of an op, in a few words. */
function verdictText(op: JudgedOp): string {
  if (op.verdict !== "accepted") return op.message ? `${op.verdict}: ${op.message}` : op.verdict;
  return op.different.length ? `result differs: ${op.different.join(", ")}` : op.verdict;
}

export class Plan {
  /** When each step begins, in ns; one more for the end. */
  readonly starts: Float64Array;
  /** Conversions that are made for an op, or of its results, by op. */
  readonly conversionsOf: number[][];
  /** Spills whose want of room is at a step. */
  private readonly spillsAt = new Map<number, number[]>();
  private readonly spillsOf = new Map<number, number[]>();
  private readonly liveBuckets: number[][];
  private readonly holderBuckets: number[][];

  /** The verdict on each op, "" if there is none. */
  private readonly verdicts: string[];

  /** `judgement`: of the module that the plan became; undefined if there is none. */
  constructor(readonly f: FunctionDecisions, readonly judgement?: Judgement) {
    const judged = judgement?.functions.find((each) => each.name === f.function);
    this.verdicts = Plan.verdictsOn(f, judged?.ops ?? []);
    this.starts = new Float64Array(f.steps.length + 1);
    f.steps.forEach((step, i) => { this.starts[i + 1] = this.starts[i] + step.time.total_ns; });
    this.conversionsOf = f.ops.map(() => []);
    f.steps.forEach((step, i) => {
      if (step.kind === "convert" && step.op !== null) this.conversionsOf[step.op].push(i);
    });
    f.spills.forEach((spill, i) => {
      if (spill.at_step !== null) push(this.spillsAt, spill.at_step, i);
      push(this.spillsOf, spill.value, i);
    });
    this.liveBuckets = bucketsOf(f.tensors, f.steps.length, () => true);
    this.holderBuckets = bucketsOf(f.tensors, f.steps.length, (tensor) => tensor.l1_bytes > 0);
  }

  /** By kind and location, and where several ops share both in their order: the module that is judged has conversions besides. */
  private static verdictsOn(f: FunctionDecisions, judged: JudgedOp[]): string[] {
    const told = new Map<string, string[]>();
    judged.forEach((op) => push(told, `${op.op} ${op.location}`, verdictText(op)));
    return f.ops.map((op) => told.get(`${op.name} ${op.location}`)?.shift() ?? "");
  }

  /** What the library says of a step; "" of conversions, and of what it was not asked. */
  verdictAt(step: number): string {
    const { kind, op } = this.f.steps[step];
    if (kind !== "run" || op === null) return "";
    return this.verdicts[op];
  }

  get steps(): Step[] { return this.f.steps; }
  op(index: number): Op { return this.f.ops[index]; }
  tensor(index: number): Tensor { return this.f.tensors[index]; }
  layoutOf(tensor: number): Layout { return this.f.layouts[this.f.tensors[tensor].layout]; }
  valueOf(tensor: number): Value { return this.f.values[this.f.tensors[tensor].value]; }
  kindOf(tensor: number): MemoryKind { return memoryKind(this.layoutOf(tensor)); }

  /** Tensors alive at a step, in the order of their numbers. */
  liveAt(step: number): number[] { return this.aliveOf(this.liveBuckets, step); }

  /** Of these, those that hold L1. */
  /** In L1, at a step at which the tensor is alive. */
  addressAt(tensor: number, step: number): Range | null {
    const { address, place_address, made_by } = this.tensor(tensor);
    return made_by !== null && step < made_by ? place_address ?? null : address;
  }
  holdersAt(step: number): number[] { return this.aliveOf(this.holderBuckets, step); }

  private aliveOf(buckets: number[][], step: number): number[] {
    return buckets[Math.floor(step / kBucket)].filter((t) => this.f.tensors[t].begin <= step && step < this.f.tensors[t].end);
  }

  l1At(step: number): number {
    const { tensors_bytes, buffers_bytes, margin_bytes } = this.f.steps[step].l1;
    return tensors_bytes + buffers_bytes + margin_bytes;
  }

  spillsAtStep(step: number): number[] { return this.spillsAt.get(step) ?? []; }
  spillsOfValue(value: number): number[] { return this.spillsOf.get(value) ?? []; }

  // ---- Words ------------------------------------------------------------------------------------------

  /** "rms_norm_2"; "dot_general (ttnn.matmul#3)" where several ops have that location. */
  opName(op: number): string { return this.f.ops[op].label ?? this.f.ops[op].location; }

  /** "rms_norm_2", "reshard for matmul_3". */
  stepName(index: number): string {
    const step = this.f.steps[index];
    const of = step.op === null ? "?" : this.opName(step.op);
    if (step.kind === "run") return of;
    const before = step.reason === "reshard" || step.reason === "reload";
    return `${step.reason ?? "conversion"}${before ? " for " : " of "}${of}`;
  }

  /** "ttnn.matmul", "reshard". */
  stepKind(index: number): string {
    const step = this.f.steps[index];
    return step.kind === "run" && step.op !== null ? this.f.ops[step.op].name : (step.reason ?? "conversion");
  }

  /** "the argument %arg0", "%3 of rms_norm_2", "what rms_norm_2 makes". */
  valueName(tensor: number): string {
    const value = this.valueOf(tensor);
    if (value.producer === null) return `${value.kind === "constant" ? "the constant" : "the argument"} ${value.name}`;
    const maker = this.opName(value.producer);
    return value.name === this.f.ops[value.producer].location ? `what ${maker} makes` : `${value.name} of ${maker}`;
  }

  /** "what reshape_0 makes, a view of what rms_norm_2 makes", "circular buffers". */
  shareName({ holder, tensor }: Share): string {
    if (tensor === null) return holder;
    const viewed = this.tensor(tensor).view_of ?? null;
    return this.valueName(tensor) + (viewed === null ? "" : `, a view of ${this.valueName(viewed)}`);
  }

  shape(value: Value): string { return [...value.shape, value.dtype].join("x"); }

  /** "as it is made", "converted from dram/interleaved in 3.20 us". */
  origin(tensor: number, reader: number): string {
    const data = this.f.tensors[tensor];
    if (data.made_by === null) return "as it comes";
    const maker = this.f.steps[data.made_by];
    if (maker.kind === "run") return "as it is made";
    const forOthers = data.readers.some((other) => other < reader);
    return `${forOthers ? "converted before" : "converted"} from ${this.layoutOf(maker.reads[0]).text} in ${time(maker.time.total_ns)}`;
  }

  /** Why a conversion takes its value out of L1, in words; "" of all other steps. */
  spillWhy(index: number): string {
    const { kind, reason, writes } = this.f.steps[index];
    if (kind === "run" || reason !== "spill") return "";
    const spill = this.spillAt(index);
    if (spill) return this.why(spill);
    // Not the plan's choice: a stop of a value that goes on, a constant, or what an op writes where it lies.
    const next = this.tensor(writes[0]).readers.map((reader) => this.f.steps[reader])[0];
    return next && next.kind === "convert" ? `on its way to ${this.layoutOf(next.writes[0]).text}` : "what reads it wants it there";
  }

  /** The cause of a conversion that moved its value to DRAM; null if it does not, or the value stays there for other reasons than the plan's. */
  spillAt(index: number): Spill | null {
    const { reason, writes } = this.f.steps[index];
    if (reason !== "spill") return null;
    const spills = this.spillsOfValue(this.tensor(writes[0]).value).map((i) => this.f.spills[i]);
    return spills.find(({ step }) => step !== null && step >= index) ?? null;
  }

  /** The one cause for which a value is read from DRAM, with the bytes that are missing and what would help. */
  why(spill: Spill): string {
    const delta = spill.delta_ns ?? 0;
    const difference = delta === 0 ? "the plan would take the same time" : `the plan would take ${signedTimeOf(delta)}`;
    const missing = () => `${bytes(spill.missing_bytes)} of L1 are missing at ${spill.at_step === null ? "?" : this.stepName(spill.at_step)}`;
    switch (spill.cause) {
      case "backend": return "no layout in L1 is legal for it and what reads it";
      case "memory": return missing() + (spill.at_step === null ? "" : this.helpAt(spill.at_step, spill.missing_bytes));
      case "faster": return `L1 would not be faster: ${difference}${spill.at_step === null ? "" : `, and ${missing()}`}`;
      case "policy": return `L1 has room and would be faster, ${difference}: not found, or without addresses`;
    }
  }

  /** The largest tensor beside the op there, if it alone would make room. */
  private helpAt(at: number, missing: number): string {
    const { reads, writes } = this.f.steps[at];
    let largest: Share | null = null;
    for (const share of sharesAt(this, at))
      if (share.tensor !== null && !reads.includes(share.tensor) && !writes.includes(share.tensor) && (!largest || share.bytes > largest.bytes)) largest = share;
    if (!largest) return ", where no tensor lies beside the op's own";
    return largest.bytes >= missing ? `; there would be room without ${this.valueName(largest.tensor!)}, ${bytes(largest.bytes)}` : "; no tensor beside the op there is as large";
  }

  layoutTexts(layouts: number[]): string { return layouts.map((each) => this.f.layouts[each].text).join(", "); }

  verdict(other: RunnerUp): string {
    return other.lost === "missed" ? "would be faster; not found, or without addresses" : other.because;
  }

  /** When a tensor is read for the last time. */
  until(tensor: number): string {
    const data = this.f.tensors[tensor];
    return data.returned || data.readers.length === 0 ? "the end" : this.stepName(data.readers[data.readers.length - 1]);
  }

  /** What rewrites of the graph made, what gained most first. */
  rewritten(): Rewritten[] {
    return [...(this.f.rewrites ?? [])].sort((a, b) => b.before_ns - b.after_ns - (a.before_ns - a.after_ns));
  }

  /** "attention (rounding) for softmax_1, matmul_2 and 3 more". */
  static rewrittenText(part: Rewritten): string {
    const most = 4;
    const names = part.from.slice(0, most).map((op) => op.location).join(", ");
    return `${part.rewrites.join(", ")} (${part.class}) for ${names}${part.from.length > most ? ` and ${part.from.length - most} more` : ""}`;
  }

  /** What a reader should know first of a step. */
  sentence(index: number): string {
    const step = this.f.steps[index];
    if (step.kind === "convert") {
      const why = this.spillWhy(index);
      return `${this.valueName(step.reads[0])} from ${this.layoutOf(step.reads[0]).text} to ${this.layoutOf(step.writes[0]).text}, bound by ${step.time.bound_by}${why ? `; ${why}` : ""}`;
    }
    const op = this.f.ops[step.op!];
    let text = `bound by ${step.time.bound_by}`;
    if (step.writes.length) text += `, makes ${this.layoutOf(step.writes[0]).text}`;
    if (!op.runners_up.length) return `${text}; nothing else is legal`;
    const best = op.runners_up[0];
    let other = best.outputs.length ? this.f.layouts[best.outputs[0]].text : "another way";
    if (step.writes.length && other === this.layoutOf(step.writes[0]).text) other = otherwise(this, op, best);
    return `${text}; ${other} instead: ${best.delta_ns ? signedTimeOf(best.delta_ns) : "as fast"}${best.lost === "memory" ? `, but ${best.because}` : ""}`;
  }

  /** The steps of a kind that take most time, the first first; none that takes no time. */
  costliest(kind: Step["kind"], count: number): number[] {
    const all = this.f.steps.map((_, i) => i).filter((i) => this.f.steps[i].kind === kind && this.f.steps[i].time.total_ns > 0);
    all.sort((a, b) => this.f.steps[b].time.total_ns - this.f.steps[a].time.total_ns || a - b);
    return all.slice(0, count);
  }
}

/** Steps per bucket of the index of live tensors. */
const kBucket = 32;

function bucketsOf(tensors: Tensor[], steps: number, wanted: (tensor: Tensor) => boolean): number[][] {
  const buckets: number[][] = Array.from({ length: Math.floor(steps / kBucket) + 1 }, () => []);
  tensors.forEach((tensor, i) => {
    if (!wanted(tensor)) return;
    for (let b = Math.floor(tensor.begin / kBucket); b < buckets.length && b * kBucket < tensor.end; b++) buckets[b].push(i);
  });
  return buckets;
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
