//===- Activations.cpp - Functions that a kernel applies on its way -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Text goes out and comes back without a loss: the same lists are read from the dialect, compared in signatures and
// written into plans. So numbers are printed as the single precision that the dialect keeps, with digits enough to give
// it back, and what cannot be read is refused as a whole.
//
//===----------------------------------------------------------------------===//
#include "tessera/OpModel/Activations.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace tessera {

static std::string paramText(double param) {
  llvm::SmallString<16> text;
  llvm::APFloat(float(param)).toString(text);
  return std::string(text);
}

std::string activationsText(llvm::ArrayRef<Activation> activations) {
  return llvm::join(llvm::map_range(activations,
                                    [](const Activation &activation) {
                                      if (activation.params.empty())
                                        return activation.name;
                                      return activation.name + "(" +
                                             llvm::join(llvm::map_range(activation.params, paramText), ", ") +
                                             ")";
                                    }),
                    ", ");
}

/// The numbers up to the `)`, which are taken off the text. False if there are other things.
static bool takeParams(llvm::StringRef &text, llvm::SmallVectorImpl<double> &params) {
  size_t end = text.find(')');
  if (end == llvm::StringRef::npos)
    return false;
  llvm::SmallVector<llvm::StringRef> parts;
  text.take_front(end).split(parts, ',');
  text = text.drop_front(end + 1);
  return llvm::all_of(parts,
                      [&](llvm::StringRef part) { return !part.trim().getAsDouble(params.emplace_back()); });
}

std::optional<llvm::SmallVector<Activation>> parseActivations(llvm::StringRef text) {
  llvm::SmallVector<Activation> activations;
  for (text = text.trim(); !text.empty(); text = text.ltrim()) {
    // A list that is not understood is no list, rather than a shorter one: an activation that is left out changes
    // results.
    if (!activations.empty() && !text.consume_front(","))
      return std::nullopt;
    llvm::StringRef name = text.ltrim().take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
    if (name.empty())
      return std::nullopt;
    text = text.ltrim().drop_front(name.size());
    Activation &activation = activations.emplace_back(Activation{name.str(), {}});
    if (text.consume_front("(") && !takeParams(text, activation.params))
      return std::nullopt;
  }
  return activations;
}

llvm::StringRef unaryOpOf(llvm::StringRef activation) {
  // Names of the vendor's enumeration of unary kernels, where the dialect's op is called otherwise.
  static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> kOtherNames[] = {
      {"abs_int32", "abs"},
      {"is_finite", "isfinite"},
      {"logical_not_unary", "logical_not"},
      {"power", "pow_scalar"},
      {"recip", "reciprocal"}};
  const auto *found = llvm::find_if(kOtherNames, [&](const auto &row) { return row.first == activation; });
  return found == std::end(kOtherNames) ? activation : llvm::StringRef(found->second);
}

} // namespace tessera
