//===- AttrSyntax.h - Parts of attribute syntax that our dialects share ---===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_DIALECT_TTCORE_ATTRSYNTAX_H
#define TESSERA_DIALECT_TTCORE_ATTRSYNTAX_H

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <string>

namespace tessera {

using Dims = llvm::SmallVector<int64_t>;

/// `2x3x4`, also with blanks around the x; `` gives no dimensions. Dimensions may not be dynamic.
inline mlir::FailureOr<Dims> parseDims(mlir::AsmParser &parser) {
  Dims dims;
  if (parser.parseDimensionList(dims, /*allowDynamic=*/false, /*withTrailingX=*/false))
    return mlir::failure();
  return dims;
}

/// The inverse of parseDims, without blanks.
inline void printDims(mlir::AsmPrinter &printer, llvm::ArrayRef<int64_t> dims) {
  llvm::interleave(dims, printer.getStream(), "x");
}

/// Parses one element of a list: the part behind the mnemonic for attributes of ours, else what the
/// type's own parser reads.
template <typename T>
mlir::FailureOr<T> parseElement(mlir::AsmParser &parser) {
  if constexpr (requires { T::parse(parser, mlir::Type()); }) {
    auto value = llvm::dyn_cast_or_null<T>(T::parse(parser, mlir::Type()));
    if (!value)
      return mlir::failure();
    return value;
  } else {
    return mlir::FieldParser<T>::parse(parser);
  }
}

/// `[a, b, c]`.
template <typename T>
mlir::FailureOr<llvm::SmallVector<T>> parseList(mlir::AsmParser &parser) {
  llvm::SmallVector<T> values;
  auto parseOne = [&]() -> mlir::ParseResult {
    auto value = parseElement<T>(parser);
    if (failed(value))
      return mlir::failure();
    values.push_back(*value);
    return mlir::success();
  };
  if (parser.parseCommaSeparatedList(mlir::AsmParser::Delimiter::Square, parseOne))
    return mlir::failure();
  return values;
}

/// The inverse of parseList: attributes of ours without their mnemonic.
template <typename T>
void printList(mlir::AsmPrinter &printer, llvm::ArrayRef<T> values) {
  printer << '[';
  llvm::interleaveComma(values, printer.getStream(), [&](const T &value) {
    if constexpr (requires { value.print(printer); })
      value.print(printer);
    else
      printer << value;
  });
  printer << ']';
}

/// The text of the attribute or type that `parser`, which has read the mnemonic, stands in. Aliases in it
/// (`#ttnn_layout3`) are replaced by what they stand for: nothing would renumber them when the module is
/// printed. Fails, with an error emitted, if one is not defined.
mlir::FailureOr<std::string> textWithoutAliases(mlir::DialectAsmParser &parser);

/// Calls a generated parser. For one mistake it says two things, the second in terms of C++ ("failed to parse
/// TTNN_Conv2dConfigAttr parameter 'weights_dtype' which is to be a `::std::optional<...>`"): of what it says, the
/// first is emitted. With `newKey`, a key that a struct of ours does not have is no mistake, unless an alias stands in front of it or the
/// struct stands in another attribute: then nothing is emitted, the key is told, and the answer is that of a mnemonic that is not known.
mlir::OptionalParseResult withOneError(mlir::DialectAsmParser &parser,
                                       llvm::function_ref<mlir::OptionalParseResult()> parse,
                                       std::string *newKey = nullptr);

/// What `parse`, the generated parser of a dialect, reads; if the dialect does not have the mnemonic, or with `newKey` a key of the struct, what
/// `keep` makes of the text. So whatever a newer tt-mlir writes passes through.
template <typename ResultT, typename ParseFn, typename KeepFn>
ResultT parseOrKeepText(mlir::DialectAsmParser &parser, ParseFn parse, KeepFn keep,
                        std::string *newKey = nullptr) {
  ResultT result;
  llvm::StringRef mnemonic;
  mlir::OptionalParseResult parsed = withOneError(parser, [&] { return parse(&mnemonic, result); }, newKey);
  if (parsed.has_value())
    return succeeded(*parsed) ? result : ResultT();
  mlir::FailureOr<std::string> text = textWithoutAliases(parser);
  if (failed(text))
    return {};
  return keep([&] { return parser.emitError(parser.getNameLoc()); }, llvm::StringRef(*text));
}

template <typename ParseFn>
mlir::Attribute parseAttributeOrKeepText(mlir::DialectAsmParser &parser, llvm::StringRef dialect,
                                         mlir::Type type, ParseFn parse, std::string *newKey = nullptr) {
  auto *context = parser.getContext();
  auto keep = [&](auto emitError, llvm::StringRef text) {
    return mlir::OpaqueAttr::getChecked(emitError, mlir::StringAttr::get(context, dialect), text,
                                        type ? type : mlir::NoneType::get(context));
  };
  return parseOrKeepText<mlir::Attribute>(parser, parse, keep, newKey);
}

template <typename ParseFn>
mlir::Type parseTypeOrKeepText(mlir::DialectAsmParser &parser, llvm::StringRef dialect, ParseFn parse) {
  return parseOrKeepText<mlir::Type>(parser, parse, [&](auto emitError, llvm::StringRef text) {
    return mlir::OpaqueType::getChecked(emitError, mlir::StringAttr::get(parser.getContext(), dialect), text);
  });
}

} // namespace tessera

#endif // TESSERA_DIALECT_TTCORE_ATTRSYNTAX_H
