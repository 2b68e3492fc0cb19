//===- OptionNames.h - Names that options take, from what has them --------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_DRIVER_COMMON_OPTIONNAMES_H
#define TESSERA_LIB_DRIVER_COMMON_OPTIONNAMES_H

#include "CommandTree.h"

namespace tessera {

/// Of the rows of a table.
template <class Infos>
std::vector<std::string> namesOf(const Infos &infos) {
  std::vector<std::string> names;
  for (const auto &info : infos)
    names.push_back(llvm::StringRef(info.name).str());
  return names;
}

inline std::vector<std::string> textsOf(llvm::ArrayRef<llvm::StringRef> texts) {
  std::vector<std::string> names;
  for (llvm::StringRef text : texts)
    names.push_back(text.str());
  return names;
}

/// Of an enum that counts from 0 to `last`.
template <class Enum>
std::vector<std::string> namesUpTo(Enum last) {
  std::vector<std::string> names;
  for (unsigned i = 0; i <= unsigned(last); ++i)
    names.push_back(name(Enum(i)).str());
  return names;
}

} // namespace tessera

#endif // TESSERA_LIB_DRIVER_COMMON_OPTIONNAMES_H
