// The decisions file as docs/decisions-format.md has it, and what `tessera report` puts around it (docs/report.md).

export interface Layout {
  text: string;
  buffer: "l1" | "l1_small" | "dram" | "system_memory" | "trace";
  memory?: "interleaved" | "height_sharded" | "width_sharded" | "block_sharded" | "single_bank";
  page: "tile" | "row_major";
  dtype: string;
  grid: [number, number];
  shard: number[];
  tile: [number, number];
  cores?: [number, number, number, number][];
}

export interface MemoryCount { count: number; bytes: number }

export interface Totals {
  time_ns: number; ops_ns: number; conversions_ns: number;
  peak_l1_bytes: number; peak_step: number | null;
  l1_sharded: MemoryCount; l1_interleaved: MemoryCount; dram: MemoryCount; host: MemoryCount;
  reshards: number; spills: number; returns: number; reloads: number;
}

export interface Value {
  name: string; shape: number[]; dtype: string;
  kind: "argument" | "constant" | "activation";
  producer: number | null; declared: number; returned: boolean;
}

export type Range = [number, number];

export interface Tensor {
  value: number; layout: number; made_by: number | null;
  begin: number; end: number; readers: number[]; returned: boolean;
  l1_bytes: number; total_bytes: number; address: Range | null;
  /** In each bank of DRAM; of newer files. */
  dram_address?: Range | null;
  /** Of the place that is kept before it is made; of newer files. */
  place_address?: Range | null;
  /** The tensor in whose buffer it lies; of newer files. */
  view_of?: number | null;
}

export interface Time {
  total_ns: number; compute_ns: number; l1_ns: number; noc_ns: number; dram_ns: number; dispatch_ns: number;
  bound_by: string;
}

export interface CircularBuffer { program: string; holds: string; pages: number; bytes: number }

export interface Step {
  kind: "run" | "convert";
  op: number | null;
  reason: "reshard" | "spill" | "reload" | "return" | null;
  reads: number[]; writes: number[];
  config: unknown; config_text: string;
  time: Time;
  l1: { tensors_bytes: number; buffers_bytes: number; margin_bytes: number; temporaries_bytes: number };
  circular_buffers: CircularBuffer[];
  buffers_address: Range | null; temporaries_address: Range | null;
}

export interface RunnerUp {
  outputs: number[]; inputs: number[]; config: unknown; config_text: string;
  op_ns: number; own_bytes: number;
  delta_ns: number; delta_op_ns: number; delta_inputs_ns: number; delta_readers_ns: number;
  lost: "slower" | "memory" | "equal" | "missed";
  step: number | null; missing_bytes: number; because: string;
}

export interface Op {
  name: string; location: string;
  /** What people call it, where others of the function share its location; of newer files. */
  label?: string | null;
  role: "compute" | "conversion" | "sink" | "fixed";
  operands: number[]; results: number[]; step: number; considered: number; runners_up: RunnerUp[];
}

export interface Spill {
  value: number; tensor: number; step: number | null;
  cause: "backend" | "memory" | "faster" | "policy"; way: string;
  at_step: number | null; missing_bytes: number; delta_ns: number | null; edges: number; policy_reason: string;
}

export interface Clash { step: number | null; kind: "no_room" | "clash"; tensors: number[]; missing_bytes: number }

/** Ops of the input, and what rewrites of the graph put in their place. */
export interface Rewritten {
  rewrites: string[]; class: "exact" | "rounding";
  from: { name: string; location: string; makes: string }[]; made: number[];
  before_ns: number; after_ns: number;
}

export interface FunctionDecisions {
  function: string; policy: string; op_model: string;
  device: {
    name: string; grid: [number, number]; l1_bytes: number; l1_reserved_bytes: number; l1_small_bytes: number; dram_bytes: number;
    dram_banks?: number;
    /** Rows and columns of chips. */
    mesh?: number[];
  };
  budget_bytes: number;
  before: Totals; after: Totals;
  layouts: Layout[]; values: Value[]; ops: Op[]; tensors: Tensor[]; steps: Step[]; spills: Spill[]; clashes: Clash[];
  /** Null if the graph is the input's; of newer files. */
  rewrites?: Rewritten[] | null;
}

export interface Decisions { format: "tessera.decisions"; version: number; generator: string; input: string; functions: FunctionDecisions[] }

export interface DiffSide {
  op: number; location: string; outputs: string[]; config_text: string; bound_by: string;
  op_ns: number; conversions_ns: number; converted: string[]; l1_bytes: number; rewritten: string;
}
export interface DiffChange { name: string; what: string[]; delta_ns: number; before: DiffSide | null; after: DiffSide | null }
export interface DiffedPlan { policy: string; device: string; time_ns: number; peak_l1_bytes: number; rewrites: string[] }
export interface FunctionDiff { function: string; before: DiffedPlan; after: DiffedPlan; paired_ops: number; changes: DiffChange[] }

/** What `tessera judge --json` writes, as far as it is shown. */
export interface JudgedOp { op: string; location: string; verdict: string; message: string; different: string[] }
export interface Judgement { library: string; functions: { name: string; ops: JudgedOp[] }[] }

export interface ReportData { format: "tessera.report"; version: number; plans: Decisions[]; diffs: FunctionDiff[]; judgement?: Judgement }
