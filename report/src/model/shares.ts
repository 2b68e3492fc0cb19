// Who holds L1 at a step: the plan checker's figure by names, as lib/Optimizer/Decisions/L1Shares.cpp has it.
import type { Plan } from "./plan";

export type Holder = "tensor" | "view" | "circular buffers" | "temporaries" | "margin";

export interface Share {
  holder: Holder;
  /** Of a tensor and a view. */
  tensor: number | null;
  /** That count: 0 of what lies in another tensor's buffer, and of a result that is not there yet at the op's peak. */
  bytes: number;
}

/** What the op of a step makes itself, as the plan checker counts it. */
function madeAt(plan: Plan, at: number, holders: number[]): { results: number; temporaries: number } {
  const { l1, writes, temporaries_address: address } = plan.steps[at];
  let made = l1.tensors_bytes, results = 0;
  for (const tensor of holders) {
    const bytes = plan.tensor(tensor).l1_bytes;
    if (writes.includes(tensor)) results += bytes;
    else made -= bytes;
  }
  if (made >= results) return { results, temporaries: made - results };
  const temporaries = address ? Math.min(made, address[1] - address[0]) : 0;
  return { results: made - temporaries, temporaries };
}

/** All of them, tensors in the order of their numbers, the others if they hold anything; their bytes add up to the checker's figure. */
export function sharesAt(plan: Plan, at: number): Share[] {
  const { l1, writes } = plan.steps[at];
  const holders = plan.holdersAt(at);
  const { results, temporaries } = madeAt(plan, at, holders);
  let left = results;
  const shares: Share[] = holders.map((tensor) => {
    const data = plan.tensor(tensor);
    const bytes = writes.includes(tensor) ? Math.min(left, data.l1_bytes) : data.l1_bytes;
    if (writes.includes(tensor)) left -= bytes;
    return { holder: data.view_of == null ? "tensor" : "view", tensor, bytes };
  });
  for (const [holder, bytes] of [["circular buffers", l1.buffers_bytes], ["temporaries", temporaries], ["margin", l1.margin_bytes]] as [Holder, number][])
    if (bytes !== 0) shares.push({ holder, tensor: null, bytes });
  return shares;
}

/** The largest first; tensors that have nothing of their own stay, as a reader looks for them. */
export function largestFirst(shares: Share[]): Share[] {
  return shares.map((share, i) => ({ share, i })).sort((a, b) => b.share.bytes - a.share.bytes || a.i - b.i).map(({ share }) => share);
}
