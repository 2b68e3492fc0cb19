//===- OpModel.cpp - What all backends share ------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Whether an op fits is one sum, which no backend adds up by itself, so that none can leave a part out:
//   circular buffers and the tensors' peak   what the program makes
//   safety margin                            figures that nobody has confirmed
//   residents                                operands, and what uneven shards take beyond their pages
//   additional                               what else lives in L1 then, which only the caller knows
// All but the last are the query's own. So an answer that was worked out once holds for any budget and any neighbours,
// by one comparison more: that is what OpCostTable rests on.
//
//===----------------------------------------------------------------------===//
#include "tessera/OpModel/OpModel.h"

#include "Pressure.h"
#include "tessera/OpModel/Temporaries.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

namespace tessera {

llvm::StringRef name(ValidationStatus status) {
  // In the order of the enumeration. These words stand in records and JSON.
  static constexpr llvm::StringLiteral kNames[] = {"success", "out_of_memory", "metal_backend_error",
                                                   "not_implemented", "unmatched_reference_config"};
  size_t index = size_t(status);
  return index < std::size(kNames) ? llvm::StringRef(kNames[index]) : llvm::StringRef("unknown");
}

llvm::ArrayRef<BackendVersionInfo> backendVersions() {
  // Libraries and begin of L1 for those versions only that a published wheel belongs to (facts/vendor-library); the
  // device's own figures hold for the others.
  static constexpr BackendVersionInfo kVersions[] = {
      {"january-2025", BackendVersion::January2025, "", {}},
      {"august-2025", BackendVersion::August2025, "", {}},
      {"september-2025", BackendVersion::September2025, "", {}},
      {"autumn-2025", BackendVersion::Autumn2025, "", {}},
      {"early-november-2025", BackendVersion::EarlyNovember2025, "", {}},
      {"pinned", BackendVersion::Pinned, "0.66.0", {}},
      {"late-november-2025", BackendVersion::LateNovember2025, "", {}},
      {"newest", BackendVersion::Newest, "0.77.0", {Bytes(105664), Bytes(111488)}},
      {"october-2026", BackendVersion::October2026, "0.81.1", {Bytes(105824), Bytes(111744)}}};
  return kVersions;
}

DeviceSpec asOpenedBy(BackendVersion version, DeviceSpec device) {
  for (const BackendVersionInfo &info : backendVersions())
    if (info.version == version)
      // Never lower: a board that was named as later libraries open it ("p150@2026-10"), or described so, keeps what
      // it says.
      device.l1UnreservedBase = std::max(device.l1UnreservedBase, info.l1Base[size_t(device.arch)]);
  return device;
}

/// True if an earlier operand is the same tensor: the same value in the same layout. add(%a, %a) may read two
/// copies of %a in different layouts.
static bool countedBefore(const OpQuery &query, size_t operand) {
  for (size_t i = 0; i < operand; ++i)
    if (query.op.operands[i].sameAs == query.op.operands[operand].sameAs &&
        query.inputs[i] == query.inputs[operand])
      return true;
  return false;
}

Bytes operandL1Bytes(const OpQuery &query, const OpModelContext &context) {
  Bytes sum;
  // Whoever asks may have checked nothing yet: a query with too few layouts is answered, too (layoutsMissing).
  size_t count = std::min(query.inputs.size(), query.op.operands.size());
  for (size_t i = 0; i < count; ++i) {
    LayoutId id = query.inputs[i];
    if (id.valid() && id.index() < context.layouts.size() && context.layouts[id].isL1() &&
        !countedBefore(query, i))
      sum += l1BytesPerCore(context.layouts[id], context.device);
  }
  return sum;
}

bool fitsAlone(const OpModel &model, const OpQuery &query, const ValidationResult &answer, Bytes budget) {
  const OpModelContext &context = model.context();
  if ((!answer.ok() && answer.status != ValidationStatus::OutOfMemory) || query.additionalL1 > Bytes(0))
    return false;
  const OpConstraints &c = answer.constraints;
  Bytes resident = residentL1(query, c, context), tensors = resident + c.outputL1BufferSize;
  return tensors <= budget && c.peakL1MemorySize + c.safetyMargin + resident <= context.l1Alone;
}

bool idsValid(const OpQuery &query, const OpModelContext &context) {
  size_t size = context.layouts.size();
  if (query.inputs.size() != query.op.operands.size())
    return false;
  for (LayoutId id : query.inputs)
    if (!id.valid() || id.index() >= size)
      return false;
  for (LayoutId id : query.config.outputs)
    if (id.valid() && id.index() >= size)
      return false;
  return true;
}

ValidationResult layoutsMissing(const OpQuery &query) {
  ValidationResult result;
  result.status = ValidationStatus::MetalBackendError;
  result.rule = "op.layout_count";
  result.message = query.op.name + ": needs one known layout per operand";
  return result;
}

static Bytes wholeShards(const OpConstraints &constraints, const OpModelContext &context) {
  Bytes shards;
  for (LayoutId id : constraints.outputLayouts)
    if (id.valid() && id.index() < context.layouts.size())
      shards += l1BytesPerCore(context.layouts[id], context.device);
  return shards;
}

Bytes temporariesL1(const OpConstraints &constraints, const OpModelContext &context) {
  // From `newest` on the tensors' peak has results as whole shards, before it as their pages. Taking off the other
  // would make a temporary of the difference.
  bool whole = context.version >= BackendVersion::Newest;
  Bytes results = whole ? wholeShards(constraints, context) : Bytes(0);
  return std::max(Bytes(0), constraints.tensorL1PeakSize - std::max(results, constraints.outputL1BufferSize));
}

Bytes residentL1(const OpQuery &query, const OpConstraints &constraints, const OpModelContext &context) {
  Bytes shards = wholeShards(constraints, context);
  // Backends may report real pages (facts/formulas 2), the device reserves whole shards (facts/allocator 4): what lies
  // between counts as resident, unless the tensors' peak has it already.
  Bytes uneven =
      std::max(Bytes(0), shards - std::max(constraints.outputL1BufferSize, constraints.tensorL1PeakSize));
  return operandL1Bytes(query, context) + uneven;
}

void applyPressure(ValidationResult &result, Bytes resident, Bytes additional, Bytes budget) {
  // A query that is refused by a rule stays refused; one that was out of memory may fit another budget.
  if (result.status != ValidationStatus::Success && result.status != ValidationStatus::OutOfMemory)
    return;
  const OpConstraints &c = result.constraints;
  Bytes needed = c.peakL1MemorySize + c.safetyMargin + resident + additional;
  if (needed <= budget) {
    result.status = ValidationStatus::Success;
    result.rule.clear();
    result.message.clear();
    return;
  }
  result.status = ValidationStatus::OutOfMemory;
  result.rule = "op.l1_capacity";
  result.message =
      llvm::formatv("needs {0} bytes of L1 per core, of {1} available: {2} circular buffers, {3} outputs and "
                    "temporaries, {4} operands, {5} other live tensors",
                    needed.value(), budget.value(), c.cbL1PeakSize.value(), c.tensorL1PeakSize.value(),
                    resident.value(), additional.value())
          .str();
  if (c.safetyMargin > Bytes(0))
    result.message +=
        llvm::formatv(", {0} safety margin, as these figures are unconfirmed", c.safetyMargin.value());
}

} // namespace tessera
