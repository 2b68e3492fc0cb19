//===- PythonProgram.h - A module as a program for ttnn -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The Python side writes the program (python/tessera/ttnn/program.py), by the same
// table of calls with which the vendor's library is asked about a module. Here is
// what it reads: a line of JSON with the module's functions, whose values have
// Python names already, so that who runs the program can be told by them.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_DRIVER_MODULES_PYTHONPROGRAM_H
#define TESSERA_LIB_DRIVER_MODULES_PYTHONPROGRAM_H

#include "../Common/OpsOfFile.h"

namespace tessera {

/// Names for all values of a function: those of the ops that make them, or that arguments have (`ttir.name`), as
/// identifiers, each once.
std::vector<std::string> pythonNames(const BuiltProblem &function);

/// The module as the Python side reads it. `title` is for people. An error names an op without a layout, or more than
/// one function that runs on the device.
llvm::Expected<std::string> programOfModule(const OpsOfFile &file, llvm::StringRef title);

/// The program's files by name, written by a Python that is found in PATH. An error says what cannot be written, and
/// where it stands.
llvm::Expected<std::vector<std::pair<std::string, std::string>>> writePythonProgram(llvm::StringRef module);

/// The program in a folder, absolute as the library's process works in a folder of its own; an error if it is not
/// there. `module` is the file that it was written of.
llvm::Expected<std::string> mainOfProgram(llvm::StringRef folder, llvm::StringRef module);

} // namespace tessera

#endif // TESSERA_LIB_DRIVER_MODULES_PYTHONPROGRAM_H
