//===- TimeGroupsText.h - Where the time is, for people and files ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_DRIVER_MODULES_TIMEGROUPSTEXT_H
#define TESSERA_LIB_DRIVER_MODULES_TIMEGROUPSTEXT_H

#include "tessera/Optimizer/Decisions/TimeGroups.h"
#include "tessera/Support/AtomicFile.h"

namespace tessera {

/// A table with the first `most` groups, and what the others come to.
void printTimeBy(llvm::raw_ostream &os, const decisions::FunctionDecisions &function, decisions::TimeBy by,
                 size_t most);
/// `function`, `by`, `time_ns` of the plan, `groups`.
llvm::json::Value timeByAsJson(const decisions::FunctionDecisions &function, decisions::TimeBy by);
/// A row for each group of each function.
OutputFile timeByCsv(const std::string &path, const decisions::Decisions &all, decisions::TimeBy by);

} // namespace tessera

#endif // TESSERA_LIB_DRIVER_MODULES_TIMEGROUPSTEXT_H
