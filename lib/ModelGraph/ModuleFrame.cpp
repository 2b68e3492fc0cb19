//===- ModuleFrame.cpp - What stands around a graph's function ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A module as tt-mlir's passes leave it, without its function: system
// description, device, a module within a module. It is parsed from text rather
// than built attribute by attribute, so that it reads here as it prints.
//
//===----------------------------------------------------------------------===//
#include "ModuleFrame.h"

#include "tessera/Dialect/TTNN/TTNN.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tessera;

namespace {

/// n texts, with commas.
std::string list(int64_t n, llvm::function_ref<std::string(int64_t)> text) {
  std::string all;
  for (int64_t i = 0; i != n; ++i)
    all += (i ? ", " : "") + text(i);
  return all;
}

/// Attributes are spelled as tt-mlir spells them (facts/ir 1.5). Braces are doubled, as formatv() reads single ones.
constexpr llvm::StringLiteral kFrame = R"(
#system_desc = #ttcore.system_desc<[{{role = host, target_triple = "x86_64-pc-linux-gnu"}], [{{arch = <{0}>, grid = {1}x{2},
  coord_translation_offsets = 18x18, l1_size = {3}, num_dram_channels = {4}, dram_channel_size = {5},
  noc_l1_address_align_bytes = {6}, pcie_address_align_bytes = 32, noc_dram_address_align_bytes = {7},
  l1_unreserved_base = {8}, erisc_l1_unreserved_base = {8}, dram_unreserved_base = 1024, dram_unreserved_end = {5},
  supported_data_types = [<f32>, <f16>, <bf16>, <bfp_f8>, <bfp_bf8>, <bfp_f4>, <bfp_bf4>, <bfp_f2>, <bfp_bf2>, <u32>, <u16>, <u8>, <si32>],
  supported_tile_sizes = [ 4x16, 16x16, 32x16, 4x32, 16x32, 32x32], dst_physical_size_tiles = 16, num_cbs = 32,
  num_compute_threads = 1, num_datamovement_threads = 2, dram_grid = 1x{4}, dram_bank_to_logical_worker_noc0 = [{9}],
  dram_bank_to_logical_worker_noc1 = [{9}]}], [{14}], [{11}], [ 0x0x0x0]>
module {{
  ttcore.device_module {{
    builtin.module attributes {{ttcore.system_desc = #system_desc} {{
      ttcore.device @default_device = <workerGrid = #ttcore.grid<{1}x{2}, virt_to_physical_map = (d0, d1) -> (0, d0, d1), physical_to_virt_map = (d0, d1, d2) -> (d1, d2)>, dramGrid = #ttcore.grid<1x{4}>, l1Map = (d0, d1, d2)[s0] -> (0, d0, d1, d2 + s0), dramMap = (d0, d1, d2)[s0, s1, s2, s3, s4, s5, s6] -> (0, 0, (((d0 * s1) * (s2 * (s3 * s6)) + d1 * (s2 * (s3 * s6)) + d2) floordiv s4) mod {4}, ((((d0 * s1) * (s2 * (s3 * s6)) + d1 * (s2 * (s3 * s6)) + d2) floordiv s4) floordiv {4}) * s4 + ((d0 * s1) * (s2 * (s3 * s6)) + d1 * (s2 * (s3 * s6)) + d2) mod s4 + s5), meshShape = {12}x{13}, chipIds = [{10}]>
    }
  }
}
)";

} // namespace

mlir::OwningOpRef<mlir::ModuleOp> runner::emptyModule(mlir::MLIRContext &context, const DeviceSpec &device,
                                                      GridShape mesh) {
  // Parsers load dialects as they meet them; builders do not.
  context.loadDialect<mlir::func::FuncDialect, ttcore::TTCoreDialect, ttnn::TTNNDialect>();
  std::string ids = list(mesh.volume(), [](int64_t i) { return std::to_string(i); });
  std::string kinds = list(mesh.volume(), [](int64_t) { return std::string("0"); }); // all the one described
  std::string roles = list(mesh.volume(), [](int64_t) { return std::string("1 : i32"); });
  // Which core is next to a bank is of no interest here; the description wants some.
  std::string workers =
      list(device.dramBanks, [](int64_t i) { return llvm::formatv("({0}, {1})", i / 8, i % 8).str(); });
  std::string text =
      llvm::formatv(kFrame.data(), name(device.arch), device.workerGrid.rows, device.workerGrid.columns,
                    device.l1Size.value(), device.dramBanks, device.dramBankSize.value(),
                    device.l1Alignment.value(), device.dramAlignment.value(), device.l1UnreservedBase.value(),
                    workers, ids, roles, mesh.rows, mesh.columns, kinds);
  mlir::ParserConfig config(&context);
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::parseSourceString<mlir::ModuleOp>(text, config);
  assert(module && "the frame is a module");
  return module;
}

mlir::ModuleOp runner::innerModule(mlir::ModuleOp module) {
  mlir::ModuleOp inner = module;
  module.walk([&](mlir::ModuleOp nested) {
    if (nested->hasAttr("ttcore.system_desc"))
      inner = nested;
  });
  return inner;
}
