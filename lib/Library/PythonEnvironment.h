//===- PythonEnvironment.h - Environments of Python in the cache folder ---===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Each package of Python that Tessera can use lives in an environment of its own in the user's cache folder, beside
// the Python side of Tessera that talks to it:
//
//   ~/.cache/tessera/PART/venv-VERSION/                 an environment
//   ~/.cache/tessera/PART/venv-VERSION/tessera.ready    there when it is complete
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_LIBRARY_PYTHONENVIRONMENT_H
#define TESSERA_LIB_LIBRARY_PYTHONENVIRONMENT_H

#include "tessera/Library/PythonMaker.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <utility>
#include <vector>

namespace tessera {

std::string joined(llvm::StringRef folder, llvm::StringRef name);

/// "~/.cache/tessera/PART".
std::string cacheFolderOf(llvm::StringRef part);
/// The interpreter of an environment, and the file that says that it is complete.
std::string pythonOf(llvm::StringRef environment);
std::string readyMark(llvm::StringRef environment);

/// What changes with any of these files (path and bytes of each).
std::string hashOf(llvm::ArrayRef<std::pair<llvm::StringRef, llvm::StringRef>> files);

/// Writes files of the program (path and bytes of each) into a folder below `parent` that is named by their contents, so that
/// a newer tessera never takes the files of one that is running; returns it. Files that are there already stay untouched.
llvm::Expected<std::string> unpackFiles(llvm::StringRef parent,
                                        llvm::ArrayRef<std::pair<llvm::StringRef, llvm::StringRef>> files);

/// What an environment is made of.
struct EnvironmentRecipe {
  llvm::StringRef part;                           ///< "ttnn", for messages
  std::string folder;                             ///< of the environment
  std::vector<llvm::StringRef> pythons;           ///< versions that will do, the best first
  std::vector<std::vector<std::string>> packages; ///< what one call of pip each is to install
  std::vector<std::vector<std::string>> andThen;  ///< what the new Python is called with at last
};

/// Makes it, unless it is there. `python`, if not "", is the interpreter to take instead of looking for one. What a
/// run that was stopped has left is made anew.
llvm::Error makeEnvironment(const EnvironmentRecipe &recipe, llvm::StringRef python);

} // namespace tessera

#endif // TESSERA_LIB_LIBRARY_PYTHONENVIRONMENT_H
