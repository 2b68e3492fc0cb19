// Who lies where in L1, as rectangles of addresses and steps.
import type { Plan } from "./plan";
import type { Range } from "./schema";

export type Holder = "tensor" | "buffers" | "temporaries" | "margin";

export interface Rectangle {
  holder: Holder;
  /** Of a tensor. */
  tensor: number | null;
  begin: number;
  end: number;
  /** What the plan checker counts for it at each of its steps; below zero for a result that is not there yet at the op's peak. */
  bytes: number;
  /** Null: it takes part in the sum, but has no place of its own. */
  address: Range | null;
}

/** All of a plan. At each step the bytes of those that are there add up to what is held against the budget. */
export function rectangles(plan: Plan): Rectangle[] {
  const list: Rectangle[] = [];
  plan.f.tensors.forEach((tensor, i) => {
    if (tensor.l1_bytes === 0) return;
    // The place that is kept for it may lie elsewhere.
    const made = Math.max(tensor.begin, tensor.made_by ?? tensor.begin);
    for (const [begin, end] of [[tensor.begin, made], [made, tensor.end]])
      if (begin < end) list.push({ holder: "tensor", tensor: i, begin, end, bytes: tensor.l1_bytes, address: plan.addressAt(i, begin) });
  });
  plan.steps.forEach((step, i) => {
    const add = (holder: Holder, bytes: number, address: Range | null) => {
      if (bytes !== 0 || (address && address[1] > address[0])) list.push({ holder, tensor: null, begin: i, end: i + 1, bytes, address });
    };
    add("buffers", step.l1.buffers_bytes, step.buffers_address);
    add("temporaries", step.l1.temporaries_bytes, step.temporaries_address);
    add("margin", step.l1.margin_bytes, null);
  });
  return list;
}

/** What the rectangles hold at each step. */
export function sums(list: Rectangle[], steps: number): Float64Array {
  const change = new Float64Array(steps + 1);
  for (const each of list) {
    change[Math.min(each.begin, steps)] += each.bytes;
    change[Math.min(each.end, steps)] -= each.bytes;
  }
  const held = new Float64Array(steps);
  let now = 0;
  for (let i = 0; i < steps; i++) held[i] = now += change[i];
  return held;
}

export interface FreeSpace { free: number; largest: number }

/** The bytes of L1 that nothing has at a step, and the largest piece of them: what the allocator could still give. */
export function freeSpace(plan: Plan, step: number): FreeSpace {
  const { device } = plan.f;
  const taken: Range[] = [];
  for (const tensor of plan.holdersAt(step)) {
    const address = plan.addressAt(tensor, step);
    if (address) taken.push(address);
  }
  for (const address of [plan.steps[step].buffers_address, plan.steps[step].temporaries_address]) if (address) taken.push(address);
  taken.sort((a, b) => a[0] - b[0]);
  let at = device.l1_reserved_bytes, free = 0, largest = 0;
  const top = device.l1_bytes - device.l1_small_bytes;
  for (const [begin, end] of [...taken, [top, top] as Range]) {
    const hole = Math.max(0, Math.min(begin, top) - at);
    free += hole;
    largest = Math.max(largest, hole);
    at = Math.max(at, end);
  }
  return { free, largest };
}
