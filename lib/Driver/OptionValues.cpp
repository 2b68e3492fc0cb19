//===- OptionValues.cpp - What options take -------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "CommandTree.h"
#include "ModuleComparison.h"

#include "tessera/Device/DeviceSpec.h"
#include "tessera/Evaluation/Evaluation.h"
#include "tessera/Layout/MetalLayout.h"
#include "tessera/ModelRunner/ModuleTable.h"
#include "tessera/ModelRunner/Modules.h"
#include "tessera/ModelRunner/RandomCheckpoint.h"
#include "tessera/ModelRunner/RunConfig.h"
#include "tessera/ModelRunner/WeightConverter.h"
#include "tessera/OpModel/Backends.h"
#include "tessera/OpModel/OpTable.h"
#include "tessera/Optimizer/Decisions/TimeGroups.h"
#include "tessera/Optimizer/Policy/Policy.h"
#include "tessera/Optimizer/Problem/Numerics.h"
#include "tessera/Simulator/Arithmetic.h"

#include "llvm/ADT/StringExtras.h"

using namespace tessera;

namespace {

using Names = std::vector<std::string>;

template <class Infos>
Names namesOf(const Infos &infos) {
  Names names;
  for (const auto &info : infos)
    names.push_back(llvm::StringRef(info.name).str());
  return names;
}

Names textsOf(llvm::ArrayRef<llvm::StringRef> texts) {
  Names names;
  for (llvm::StringRef text : texts)
    names.push_back(text.str());
  return names;
}

/// Of an enum that counts from 0 to `last`.
template <class Enum>
Names namesUpTo(Enum last) {
  Names names;
  for (unsigned i = 0; i <= unsigned(last); ++i)
    names.push_back(name(Enum(i)).str());
  return names;
}

constexpr OptionValues kKinds[] = {
    {"FILE", nullptr},
    {"BOARD", [] { return namesOf(builtinDevices()); }},
    {"POLICY", [] { return namesOf(policies()); }},
    // Files too, but these cannot be guessed.
    {"PLAN",
     [] {
       Names names = namesOf(policies());
       llvm::append_range(names, namesOf(builtinDevices()));
       return names;
     }},
    {"GROUPS", [] { return textsOf(decisions::wordsOf(decisions::TimeBy())); }},
    {"OBJECTIVE", [] { return textsOf(beamObjectives()); }},
    {"STRATEGY", [] { return textsOf(spillStrategies()); }},
    {"ARITHMETIC",
     [] { return textsOf({name(simulator::Arithmetic::Exact), name(simulator::Arithmetic::Kernels)}); }},
    {"REFERENCE", [] { return Names(std::begin(kReferenceNames), std::end(kReferenceNames)); }},
    {"PART", [] { return textsOf(beamParts()); }},
    {"SCHEDULE", [] { return textsOf(scheduleNames()); }},
    {"NUMERICS", [] { return textsOf(numericsNames()); }},
    {"WHO", [] { return namesOf(opModelBackends()); }},
    {"VERSION", [] { return namesOf(backendVersions()); }},
    {"OP", [] { return namesOf(knownOps()); }},
    {"TYPE", [] { return namesUpTo(DataType::Bool); }},
    {"FILL", [] { return namesUpTo(OobValue::NegInf); }},
    {"MEMORY", [] { return namesUpTo(MemorySpace::DeviceL1); }},
    {"WEIGHT_TYPE", runner::weightTypeNames},
    {"SPREAD", [] { return Names(std::begin(runner::kSpreadNames), std::end(runner::kSpreadNames)); }},
    {"MODULE", [] { return namesOf(runner::modules()); }},
    {"RULES", [] { return Names(std::begin(runner::kMergeModeNames), std::end(runner::kMergeModeNames)); }},
    {"MODE", [] { return namesOf(runner::model::kModes); }},
    {"GROUP", [] { return namesUpTo(TimingGrouping::Program); }},
    {"SHELL", shellNames},
};

} // namespace

const OptionValues *tessera::findOptionValues(llvm::StringRef label) {
  const OptionValues *found =
      llvm::find_if(kKinds, [&](const OptionValues &kind) { return kind.label == label; });
  return found == std::end(kKinds) ? nullptr : found;
}

std::string tessera::listOfValues(llvm::StringRef label) {
  return llvm::join(findOptionValues(label)->names(), ", ");
}
