//===- JudgedFunction.h - A function as the vendor's library is asked -----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_DRIVER_MODULES_JUDGEDFUNCTION_H
#define TESSERA_LIB_DRIVER_MODULES_JUDGEDFUNCTION_H

#include "Judgement.h"

#include "tessera/Optimizer/Plan/PlanReplay.h"

namespace tessera {

/// The whole function as one request: its arguments, and per op a step, with what is freed in between. `questions` by
/// OpId, "" for what is not asked; `accepted` by OpId.
std::string programRequest(const BuiltProblem &built, llvm::ArrayRef<std::string> questions,
                           llvm::ArrayRef<bool> accepted);

/// Reads the answer to that request into `judged`, whose ops are those of the function in order, and compares addresses
/// with `replay`.
void readProgramAnswer(const llvm::json::Object &answer, const BuiltProblem &built, const PlanReplay &replay,
                       JudgedFunction &judged);

} // namespace tessera

#endif // TESSERA_LIB_DRIVER_MODULES_JUDGEDFUNCTION_H
