//===- Unrounded.cpp - What a program would compute without formats -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Simulator/Unrounded.h"

#include "llvm/ADT/STLExtras.h"

namespace tessera::simulator {

namespace {

/// By function and value: whether it is what an argument in block float holds.
using KeptFormats = std::vector<std::vector<bool>>;

/// A function that is called reads its arguments where the caller has them, so they keep what the caller's keep.
KeptFormats keptFormats(const Program &program) {
  KeptFormats kept;
  for (const Function &function : program.functions)
    kept.emplace_back(function.values.size());
  for (size_t number = program.functions.size(); number-- > 0;) { // callers stand behind what they call
    const Function &function = program.functions[number];
    if (function.isForward)
      // Elements are rounded together in block float, so its arguments are packed once, in tiles, as they would be on
      // the device.
      for (size_t argument : function.arguments)
        kept[number][argument] = isBlockFloat(function.values[argument].desc.dtype);
    for (const Step &step : function.steps)
      for (size_t callee : calledBy(step))
        for (auto [value, argument] : llvm::zip_equal(step.reads, program.functions[callee].arguments))
          kept[callee][argument] = kept[number][value];
  }
  return kept;
}

void widen(Value &value, bool keepsFormat) {
  if (!keepsFormat && !holdsIntegers(value.desc.dtype))
    value.desc.dtype = DataType::Float32;
  value.layout = systemMemory(value.desc, keepsFormat ? PageLayout::Tile : PageLayout::RowMajor);
}

} // namespace

Program unrounded(const Program &program) {
  Program result = program;
  KeptFormats kept = keptFormats(program);
  for (auto [function, keeps] : llvm::zip_equal(result.functions, kept)) {
    for (size_t value = 0; value < function.values.size(); ++value)
      widen(function.values[value], keeps[value]);
    for (Step &step : function.steps)
      // Views are of memory on the device, of which nothing is left.
      step.mayView = false;
  }
  return result;
}

} // namespace tessera::simulator
