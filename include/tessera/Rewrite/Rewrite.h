//===- Rewrite.h - The graph that is planned, instead of the one that came -===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A plan can only be as good as its graph. A rewrite replaces ops of a function
// by others that compute the same: several by one that the device has for them,
// or data movement by less of it.
//
//   softmax(q x transpose(repeat(k)) * s + m) x repeat(v)   ->   scaled_dot_product_attention_decode(q, k, v, m)
//
// A rewrite is a row of a table. It proposes ops; they are made only if the one
// who asks consents to each of them, which is how the op model has its say
// before anything changes. Whether the rewritten function is the better one is
// for its plan to tell (Optimizer).
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_REWRITE_REWRITE_H
#define TESSERA_REWRITE_REWRITE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"

#include <functional>
#include <string>
#include <vector>

namespace tessera {

/// What a rewrite does to the numbers.
enum class Exactness : uint8_t {
  Exact,    ///< the same bits
  Rounding, ///< the same values, rounded fewer times or in another order
};
llvm::StringRef name(Exactness exactness); ///< "exact", "rounding"

/// What is known of a rewrite.
struct RewriteInfo {
  llvm::StringLiteral name;
  Exactness exactness;
  llvm::StringLiteral matches; ///< the ops that it looks for, as an expression
  llvm::StringLiteral makes;   ///< what stands there afterwards
  llvm::StringLiteral reason;  ///< why that is better
};

/// All rewrites, in the order in which they are listed.
llvm::ArrayRef<RewriteInfo> rewrites();

/// Which rewrites may be made.
class RewriteSelection {
public:
  /// None.
  RewriteSelection() : chosen(rewrites().size(), false) {}
  /// `all`, `exact` or `none`, then any of `+name` and `-name`, with commas between them. An error names what is not known.
  static llvm::Expected<RewriteSelection> parse(llvm::StringRef text);

  /// By the rewrite's place in the table: `rewrite` is one of rewrites().
  bool has(const RewriteInfo &rewrite) const { return chosen[size_t(&rewrite - rewrites().data())]; }
  bool none() const;

private:
  std::vector<bool> chosen; ///< by place in rewrites()
};

/// Whether an op that does not stand in the program yet could run on the device. Its operands and their types are what they would be.
using RewriteConsent = std::function<bool(mlir::Operation *op)>;

/// An op that a rewrite took away.
struct ReplacedOp {
  std::string op;       ///< "ttnn.softmax"
  std::string location; ///< its name
  std::string makes;    ///< shape and type of its first result, "1x32x128xbf16"
};

/// A rewrite that was made.
struct AppliedRewrite {
  const RewriteInfo *rewrite = nullptr;
  std::string function;     ///< in which it was made
  mlir::LocationAttr place; ///< of the op in whose place it stands
  std::string
      made; ///< the name of the op that the rewrite is about; empty if there is none but those that were there
  std::string replaced;         ///< that of the op in whose place it stands
  std::vector<ReplacedOp> gone; ///< what it replaced, and what nothing but that read; in program order
  std::vector<std::string>
      makes; ///< the names of all ops that it made; another rewrite may have replaced these again
};

/// Makes the chosen rewrites in `function` until none applies. Every op has a name before and after (its name location); a new one
/// is numbered by kind, as if it came after those that there are. Frees of tensors are taken out. No rewrite takes away an op whose
/// name is among `kept`, nor one that is pinned (`tessera.pin`). If the function `isCalled` by others, each of its results stays a tensor of its own.
std::vector<AppliedRewrite> applyRewrites(mlir::func::FuncOp function, const RewriteSelection &selection,
                                          const RewriteConsent &consent, const llvm::StringSet<> &kept,
                                          bool isCalled);

} // namespace tessera

#endif // TESSERA_REWRITE_REWRITE_H
