//===- WrapText.h - Text that fits its lines ------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_SUPPORT_WRAPTEXT_H
#define TESSERA_SUPPORT_WRAPTEXT_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace llvm {
class raw_ostream;
}

namespace tessera {

/// `text` with every line at most `width` columns wide, broken at blanks; a longer word stays whole. Lines
/// that the text has already stay apart, and what continues one begins `indent` columns to the right of where
/// it began. The first line is as long as if it began at column `first`. No newline at the end.
std::string wrapText(llvm::StringRef text, size_t width, size_t indent = 0, size_t first = 0);

/// How wide lines to standard output or standard error may be, if that is a terminal: $COLUMNS, else the terminal's
/// width. 0, no limit, of all else, so that programs that read it find whole cells of tables.
size_t streamWidth(const llvm::raw_ostream &os);

/// streamWidth of standard output; where that is no limit, $COLUMNS or 100. At least 40, at most 120: longer lines are
/// hard to read.
size_t textWidth();

} // namespace tessera

#endif // TESSERA_SUPPORT_WRAPTEXT_H
