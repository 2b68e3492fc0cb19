//===- OpConfigs.cpp - The classes by name --------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/ModelRunner/OpConfigs.h"

#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::runner;

namespace {

// ---- Op configs that the code of July 2025 had in another form (facts/deepseek 1.2, "A") -----------

namespace spec {

struct AllGatherConfig {
  TESSERA_OP_CONFIG(AllGatherConfig);
  Required<MeshDeviceItem> mesh_device;
  Required<MemoryConfig> memory_config;
  TESSERA_FIELDS(mesh_device, memory_config)
};

struct RMSNormConfig {
  TESSERA_OP_CONFIG(RMSNormConfig);
  Required<double> epsilon;
  Required<WeightItem> weight;
  std::optional<ComputeKernelConfig> compute_kernel_config;
  std::optional<MemoryConfig> stats_memcfg, output_memcfg;
  std::optional<DataType> output_dtype = DataType::BFloat16;
  std::optional<bool> is_distributed = false;
  std::optional<Topology> topology = Topology::Linear;
  std::optional<std::string> norm_category;
  TESSERA_FIELDS(epsilon, weight, compute_kernel_config, stats_memcfg, output_memcfg, output_dtype,
                 is_distributed, topology, norm_category)
};

using OpConfigList = ClassList<LinearConfig, EmbeddingConfig, MulConfig, AllReduceConfig,
                               spec::AllGatherConfig, spec::RMSNormConfig>;

} // namespace spec

// Pointers to classInfo(), of which there is one per class: items of one class point to the same.
using Classes = std::vector<const ClassInfo *>;

template <class... Ts, class... Us>
Classes makeClasses(ClassList<Ts...>, ClassList<Us...>) {
  return {&classInfo<Ts>()..., &classInfo<Us>()...};
}

/// Lists for each dialect: op configs first, then what their fields hold.
const Classes &classes(Dialect dialect) {
  static const Classes early = makeClasses(spec::OpConfigList(), ValueList());
  static const Classes late = makeClasses(OpConfigList(), ValueList());
  return dialect == Dialect::Spec ? early : late;
}

} // namespace

const ClassInfo *runner::findClass(llvm::StringRef name, Dialect dialect) {
  const Classes &known = classes(dialect);
  auto found = llvm::find_if(known, [&](const ClassInfo *each) { return each->name == name; });
  return found == known.end() ? nullptr : *found;
}

std::vector<llvm::StringRef> runner::classNames(Dialect dialect) {
  std::vector<llvm::StringRef> names;
  for (const ClassInfo *each : classes(dialect))
    names.push_back(each->name);
  return names;
}
