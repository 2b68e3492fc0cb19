//===- BeamOptions.cpp - What policy `beam` can be asked for --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Policy/BeamOptions.h"

#include "tessera/Support/NearestNames.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera;

/// What each of kBeamParts turns off.
static constexpr bool BeamOptions::*kSwitches[] = {&BeamOptions::reshards, &BeamOptions::jointForks,
                                                   &BeamOptions::polish, &BeamOptions::incumbent,
                                                   &BeamOptions::repeats};

llvm::Expected<BeamOptions> tessera::parseBeamOptions(const BeamText &text) {
  BeamOptions options;
  options.width = text.width;
  if (text.width < 1)
    return llvm::createStringError("beam-width must be at least 1; got " + std::to_string(text.width));
  if (llvm::Error error = parseName<BeamObjective>("beam-objective", text.objective, kBeamObjectives)
                              .moveInto(options.objective))
    return error;
  if (text.without.empty())
    return options;
  for (llvm::StringRef name : llvm::split(llvm::StringRef(text.without), ',')) {
    auto part = parseName<size_t>("part of policy beam", name, kBeamParts);
    if (!part)
      return part.takeError();
    options.*kSwitches[*part] = false;
  }
  return options;
}
