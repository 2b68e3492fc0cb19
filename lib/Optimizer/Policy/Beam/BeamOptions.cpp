//===- BeamOptions.cpp - What policy `beam` can be asked for --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Policy/BeamOptions.h"

#include "tessera/Support/NearestNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera;

static constexpr llvm::StringRef kObjectives[] = {"time", "cores"};
static constexpr llvm::StringRef kParts[] = {"reshards", "forks", "polish", "incumbent", "repeats"};
static constexpr bool BeamOptions::*kSwitches[] = {&BeamOptions::reshards, &BeamOptions::jointForks,
                                                   &BeamOptions::polish, &BeamOptions::incumbent,
                                                   &BeamOptions::repeats};

llvm::ArrayRef<llvm::StringRef> tessera::beamObjectives() { return kObjectives; }
llvm::ArrayRef<llvm::StringRef> tessera::beamParts() { return kParts; }

static llvm::Error unknown(llvm::StringRef what, llvm::StringRef name,
                           llvm::ArrayRef<llvm::StringRef> known) {
  return llvm::createStringError("unknown " + what + " '" + name + "'" + didYouMean(name, known) +
                                 "; known: " + llvm::join(known, ", "));
}

llvm::Expected<BeamOptions> tessera::parseBeamOptions(const BeamText &text) {
  BeamOptions options;
  options.width = text.width;
  if (text.width < 1)
    return llvm::createStringError("beam-width must be at least 1; got " + std::to_string(text.width));
  auto objective = llvm::find(kObjectives, llvm::StringRef(text.objective));
  if (objective == std::end(kObjectives))
    return unknown("beam-objective", text.objective, kObjectives);
  options.objective = BeamObjective(objective - std::begin(kObjectives));
  for (llvm::StringRef part : llvm::split(llvm::StringRef(text.without), ',')) {
    auto found = llvm::find(kParts, part);
    if (found != std::end(kParts))
      options.*kSwitches[found - std::begin(kParts)] = false;
    else if (!text.without.empty())
      return unknown("part of policy beam", part, kParts);
  }
  return options;
}
