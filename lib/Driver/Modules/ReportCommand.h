//===- ReportCommand.h - A report as an output of a command ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_DRIVER_MODULES_REPORTCOMMAND_H
#define TESSERA_LIB_DRIVER_MODULES_REPORTCOMMAND_H

#include "tessera/Report/Html.h"
#include "tessera/Support/AtomicFile.h"

namespace tessera {

OutputFile reportFile(const std::string &path, report::ReportedPlans plans);

} // namespace tessera

#endif // TESSERA_LIB_DRIVER_MODULES_REPORTCOMMAND_H
