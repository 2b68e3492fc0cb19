//===- Passes.td - The optimizer as passes --------------------*- tablegen -*-===//
// Part of Tessera, under the Apache License v2.0.
//===-------------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_PASSES
#define TESSERA_OPTIMIZER_PASSES

include "mlir/Pass/PassBase.td"

def TTNNOptimizer : Pass<"ttnn-optimizer", "::mlir::ModuleOp"> {
  let summary = "Decide memory layouts and op configurations of forward device functions";
  let description = [{
    Tensors start in DRAM, where every op pays for reading and writing them. This pass moves activations into L1,
    sharded where the ops can use it, chooses op configurations, inserts `ttnn.to_memory_config` where producer and
    consumer disagree or L1 is full, and re-inserts `ttnn.deallocate` for the new lifetimes. Every plan is
    re-validated op by op before the IR is touched; a function whose plan does not pass stays as it is.

    ```mlir
    %0 = "ttnn.relu"(%x) : (tensor<64x64xbf16, #dram_interleaved>) -> tensor<64x64xbf16, #dram_interleaved>
    ```
    becomes
    ```mlir
    %0 = "ttnn.to_memory_config"(%x) : (tensor<64x64xbf16, #dram_interleaved>) -> tensor<64x64xbf16, #l1_sharded>
    %1 = "ttnn.relu"(%0) : (tensor<64x64xbf16, #l1_sharded>) -> tensor<64x64xbf16, #l1_sharded>
    ```
    Names and defaults are those of the optimizer's specification, Appendix B; `tensor-l1-usage-cap` is 0.95, as in the
    public code that followed it.
  }];
  let options = [
    Option<"memoryLayoutAnalysisEnabled", "memory-layout-analysis-enabled", "bool", "false",
           "Choose memory layouts; if false, every layout stays as it is">,
    Option<"memoryLayoutAnalysisPolicy", "memory-layout-analysis-policy", "std::string", "\"DFSharding\"",
           "Who decides: DFSharding, GreedyL1Interleaved, BFInterleaved, or any that `tessera policies` lists">,
    Option<"maxLegalLayouts", "max-legal-layouts", "int64_t", "8", "Sharded result layouts considered per op; of each kind of sharding a quarter as many in any case">,
    Option<"beamWidth", "beam-width", "int64_t", "8", "Policy beam: candidates kept per op">,
    Option<"beamObjective", "beam-objective", "std::string", "\"time\"",
           "Policy beam: what it looks for, time or cores">,
    Option<"beamWithout", "beam-without", "std::string", "\"\"",
           "Policy beam: parts to leave out, to see what they give: reshards, forks, polish, incumbent, repeats">,
    Option<"schedule", "schedule", "std::string", "\"\"",
           "In which order ops run: ir, dfs, memory, auto; default: dfs for DFSharding, auto for optimal and for beam by time, ir for the others">,
    Option<"spill", "spill", "std::string", "\"policy\"",
           "Which values leave L1 where it is full: policy (each policy's own way), farthest-last-use, cost, dp, or none (nothing leaves; a plan that does not fit then is not applied)">,
    Option<"tensorL1UsageCap", "tensor-l1-usage-cap", "double", "::tessera::kDefaultL1UsageCap",
           "Share of usable L1 that tensors and circular buffers may take, 0 to 1; default 0.95">,
    Option<"rowMajorEnabled", "row-major-enabled", "bool", "false",
           "Also consider row-major layouts for tiled tensors">,
    Option<"l1InterleavedFallbackAnalysisEnabled", "l1-interleaved-fallback-analysis-enabled", "bool", "false",
           "As a last step, move results that only the next op reads from DRAM to L1 interleaved">,
    Option<"keepConstants", "keep-constants", "bool", "false",
           "Leave constants as they lie; else those that an op reads faster in another page layout are converted once">,
    Option<"strict", "strict", "bool", "false",
           "Refuse modules with properties, ops or attributes that Tessera does not know; else they stay as they are. Refuse "
           "plans, too, in which an op stays whose time is unknown">,
    Option<"numerics", "numerics", "std::string", "\"keep\"",
           "How exactly planned matmuls and convolutions compute that state no compute config: keep (no less exactly "
           "than as declared), as-compiled (nothing is stated), fast">,
    Option<"rewrites", "rewrites", "std::string", "\"all\"",
           "Rewrites of the graph before it is planned: all, exact or none, then +NAME or -NAME; default: all">,
    Option<"overrideOutputLayout", "override-output-layout", "std::string", "\"\"",
           "Layouts of your own: op=8x8:l1:block_sharded:tile[,op=...]">,
    Option<"overrideConv2dConfig", "override-conv2d-config", "std::string", "\"\"",
           "conv2d configs of your own: op=act_block_h_override#32[,op=...]">,
    Option<"insertMemReconfig", "insert-memreconfig", "std::string", "\"\"",
           "Conversions in front of operands: op=0:1[,op=...]">,
    Option<"device", "device", "std::string", "\"\"",
           "Board to decide for; default: the module's ttcore.system_desc, else n150">,
    Option<"opModel", "op-model", "std::string", "\"analytic\"",
           "Who answers what ops cost and allow, as in `tessera optimize --help`: analytic[:CALIBRATION], "
           "recorded:FILE[,fallthrough], record:FILE[,...], ttnn[:VERSION], plugin:FILE[,fallthrough], mock">,
    Option<"backendVersion", "backend-version", "std::string", "\"\"",
           "Version of the backend that the built-in formulas answer for, as in `tessera optimize --help`: "
           "january-2025 ... october-2026; default: newest, or that of the library that answers">,
    Option<"opModelCache", "op-model-cache", "std::string", "\"\"",
           "File that keeps the op model's answers between runs; default: none">
  ];
}

def TTNNRewrite : Pass<"ttnn-rewrite", "::mlir::ModuleOp"> {
  let summary = "Rewrite the graph: attention and heads as one op each, less data movement";
  let description = [{
    Makes the rewrites that `tessera rewrites` lists, wherever the built-in op model consents to the new ops, and does not ask whether
    a plan gets faster with them: `ttnn-optimizer` with its option `rewrites` does.

    ```mlir
    %0 = "ttnn.reshape"(%x) <{shape = [32 : i32, 64 : i32]}> : (tensor<1x32x64xbf16, #l>) -> tensor<32x64xbf16, #m>
    %1 = "ttnn.reshape"(%0) <{shape = [2048 : i32]}> : (tensor<32x64xbf16, #m>) -> tensor<2048xbf16, #n>
    ```
    becomes
    ```mlir
    %1 = "ttnn.reshape"(%x) <{shape = [2048 : i32]}> : (tensor<1x32x64xbf16, #l>) -> tensor<2048xbf16, #n>
    ```
  }];
  let dependentDialects = ["::tessera::ttnn::TTNNDialect"];
  let options = [
    Option<"rewrites", "rewrites", "std::string", "\"all\"", "all, exact or none, then +NAME or -NAME">,
    Option<"device", "device", "std::string", "\"\"",
           "Board that must take the new ops; default: the module's ttcore.system_desc, else n150">,
  ];
}

#endif // TESSERA_OPTIMIZER_PASSES
