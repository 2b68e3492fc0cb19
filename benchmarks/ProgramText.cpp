//===- ProgramText.cpp - A TTNN function, written down op by op -----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "ProgramText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace tessera;

static constexpr int64_t kTile = 32;

namespace {

/// A tensor as its layout sees it: the dimensions before the last collapsed into rows, each matrix padded to whole tiles.
struct Collapsed {
  std::string map; ///< "(d0, d1, d2) -> (d0 * 32 + d1, d2)"
  int64_t tileRows = 1, tileColumns = 1;
};

Collapsed collapse(llvm::ArrayRef<int64_t> shape) {
  auto dim = [](size_t d) { return "d" + std::to_string(d); };
  size_t last = shape.size() - 1;
  Collapsed result;
  result.tileColumns = llvm::divideCeil(shape[last], kTile);
  std::string rows = "0";
  if (last > 0) {
    result.tileRows = llvm::divideCeil(shape[last - 1], kTile);
    rows = dim(last - 1);
  }
  for (size_t d = last > 0 ? last - 1 : 0; d-- > 0;) {
    rows = llvm::formatv("{0} * {1} + {2}", dim(d), result.tileRows * kTile, rows);
    result.tileRows *= shape[d];
  }
  std::string dims = llvm::join(llvm::map_range(llvm::seq<size_t>(0, shape.size()), dim), ", ");
  result.map = llvm::formatv("({0}) -> ({1}, {2})", dims, rows, dim(last));
  return result;
}

std::string extents(llvm::ArrayRef<int64_t> shape, llvm::StringRef element) {
  std::string text;
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text + element.str();
}

} // namespace

TensorText tessera::dramTensor(llvm::ArrayRef<int64_t> shape, llvm::StringRef element) {
  Collapsed tiles = collapse(shape);
  std::string text = extents(shape, element);
  return {"!t" + text,
          llvm::formatv("tensor<{0}, #ttnn.ttnn_layout<{1}, <1x1>, memref<{2}x{3}x!ttcore.tile<32x32, {4}>, "
                        "#dram>, <interleaved>>>",
                        text, tiles.map, tiles.tileRows, tiles.tileColumns, element)};
}

TensorText tessera::heightShardedTensor(llvm::ArrayRef<int64_t> shape, llvm::StringRef element) {
  Collapsed tiles = collapse(shape);
  std::string text = extents(shape, element);
  return {"!hs" + text,
          llvm::formatv(
              "tensor<{0}, #ttnn.ttnn_layout<{1}, <{2}x1>, memref<1x{3}x!ttcore.tile<32x32, {4}>, #l1>, "
              "<height_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (7,{5})>]>>>",
              text, tiles.map, tiles.tileRows, tiles.tileColumns, element, tiles.tileRows / 8 - 1)};
}

ValueText ProgramText::argument(llvm::StringRef kind, const TensorText &type) {
  ValueText value{llvm::formatv("%arg{0}", arguments.size()), type.alias};
  definitions.insert({type.alias, type.definition});
  arguments.push_back(llvm::formatv("{0}: {1} {{ttcore.argument_type = #ttcore.argument_type<{2}>}",
                                    value.name, type.alias, kind));
  return value;
}

ValueText ProgramText::op(llvm::StringRef name, llvm::ArrayRef<ValueText> operands, const TensorText &type,
                          llvm::StringRef properties) {
  definitions.insert({type.alias, type.definition});
  return write(name, operands, type.alias, properties);
}

ValueText ProgramText::eltwise(llvm::StringRef name, llvm::ArrayRef<ValueText> operands) {
  return write(name, operands, operands.front().type, "");
}

void ProgramText::sink(llvm::StringRef name, llvm::ArrayRef<ValueText> operands, llvm::StringRef properties) {
  write(name, operands, "()", properties);
}

ValueText ProgramText::write(llvm::StringRef name, llvm::ArrayRef<ValueText> operands, llvm::StringRef type,
                             llvm::StringRef properties) {
  ValueText result{llvm::formatv("%{0}", ops++), type.str()};
  auto list = [&](std::string ValueText::*part) {
    return llvm::join(llvm::map_range(operands, [=](const ValueText &value) { return value.*part; }), ", ");
  };
  if (type != "()")
    body += result.name + " = ";
  body += llvm::formatv("\"ttnn.{0}\"({1}){2} : ({3}) -> {4}\n", name, list(&ValueText::name), properties,
                        list(&ValueText::type), type);
  return result;
}

std::string ProgramText::returning(const ValueText &value) const {
  std::string text = "#dram = #ttnn.buffer_type<dram>\n#l1 = #ttnn.buffer_type<l1>\n";
  for (const auto &[alias, definition] : definitions)
    text += llvm::formatv("{0} = {1}\n", alias, definition);
  return text + llvm::formatv(
                    "func.func @main({0}) -> {1} attributes {{tt.function_type = \"forward_device\"} {{\n{2}"
                    "return {3} : {1}\n}\n",
                    llvm::join(arguments, ", "), value.type, body, value.name)
                    .str();
}
