//===- Json.h - JSON from files that others wrote -------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_SUPPORT_JSON_H
#define TESSERA_SUPPORT_JSON_H

#include "llvm/Support/JSON.h"

namespace tessera {

/// Arrays and objects that may stand inside one another. What Tessera writes nests less than 10 deep.
constexpr unsigned kDeepestJson = 64;

/// llvm::json::parse for text of any origin: nesting beyond kDeepestJson and a key that an object has twice are errors
/// with their place. LLVM's parser and the destructor of its values recurse per level, so that some 10,000 brackets
/// would overflow the stack; of two values for one key it would keep the last.
/// All JSON that Tessera reads comes through here.
llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef text);

} // namespace tessera

#endif // TESSERA_SUPPORT_JSON_H
