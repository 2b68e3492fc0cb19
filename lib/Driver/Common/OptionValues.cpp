//===- OptionValues.cpp - What options take -------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Which values an option takes is a table by its label in help, BOARD or
// POLICY. Help, completions and errors all list what the table gives, which is
// what the code that reads the value knows.
//
//===----------------------------------------------------------------------===//
#include "OptionNames.h"

#include "tessera/Device/DeviceSpec.h"
#include "tessera/Driver/Commands.h"
#include "tessera/Layout/MetalLayout.h"
#include "tessera/OpModel/Backends.h"
#include "tessera/OpModel/OpTable.h"
#include "tessera/Optimizer/Decisions/TimeGroups.h"
#include "tessera/Optimizer/Policy/Policy.h"
#include "tessera/Optimizer/Problem/Numerics.h"
#include "tessera/Rewrite/Rewrite.h"
#include "tessera/Simulator/Arithmetic.h"

#include "llvm/ADT/StringExtras.h"

using namespace tessera;

namespace {

/// What stands between the commas of --rewrites: a set first, or one that is added or left out.
std::vector<std::string> wordsOfRewrites() {
  std::vector<std::string> words = {"all", "exact", "none"};
  for (llvm::StringLiteral sign : {llvm::StringLiteral("+"), llvm::StringLiteral("-")})
    for (const std::string &name : namesOf(rewrites()))
      words.push_back(sign.str() + name);
  return words;
}

/// Functions and no lists: names come from the tables of whoever knows them, so that help cannot be behind.
constexpr OptionValues kCommon[] = {
    {"FILE", nullptr},
    {"BOARD", [] { return namesOf(builtinDevices()); }},
    {"POLICY", [] { return namesOf(policies()); }},
    // Files too, but these cannot be guessed.
    {"PLAN",
     [] {
       std::vector<std::string> names = namesOf(policies());
       llvm::append_range(names, namesOf(builtinDevices()));
       return names;
     }},
    {"GROUPS", [] { return textsOf(decisions::wordsOf(decisions::TimeBy())); }},
    {"OBJECTIVE", [] { return textsOf(kBeamObjectives); }},
    {"STRATEGY", [] { return textsOf(kSpillStrategies); }},
    {"ARITHMETIC",
     [] { return textsOf({name(simulator::Arithmetic::Exact), name(simulator::Arithmetic::Kernels)}); }},
    {"REFERENCE",
     [] { return std::vector<std::string>(std::begin(kReferenceNames), std::end(kReferenceNames)); }},
    {"PART", [] { return textsOf(kBeamParts); }},
    {"SCHEDULE", [] { return textsOf(kScheduleNames); }},
    {"NUMERICS", [] { return textsOf(kNumericsNames); }},
    {"REWRITE", wordsOfRewrites},
    {"WHO", [] { return namesOf(opModelBackends()); }},
    {"VERSION", [] { return namesOf(backendVersions()); }},
    {"OP", [] { return namesOf(knownOps()); }},
    {"TYPE", [] { return namesUpTo(DataType::Bool); }},
    {"FILL", [] { return namesUpTo(OobValue::NegInf); }},
    {"MEMORY", [] { return namesUpTo(MemorySpace::DeviceL1); }},
    {"SHELL", shellNames},
};

} // namespace

llvm::ArrayRef<OptionValues> tessera::commonValues() { return kCommon; }

const OptionValues *tessera::findValues(llvm::ArrayRef<OptionValues> table, llvm::StringRef label) {
  const OptionValues *found =
      llvm::find_if(table, [&](const OptionValues &values) { return values.label == label; });
  return found == table.end() ? nullptr : found;
}

std::string tessera::listOfValues(llvm::StringRef label, llvm::ArrayRef<OptionValues> table) {
  return llvm::join(findValues(table, label)->names(), ", ");
}
