//===- ModuleText.cpp - TTNN functions, written op by op ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "ModuleText.h"

using namespace tessera;

namespace {

/// "d0, d1, d2, d3" and "d0 * 64 + d1 * 32 + d2, d3": all dimensions but the last make up the rows.
std::string mapText(llvm::ArrayRef<int64_t> shape, bool inTiles) {
  std::string dims, rows;
  size_t rank = shape.size();
  for (size_t i = 0; i < rank; ++i)
    dims += (i ? ", d" : "d") + std::to_string(i);
  int64_t stride = 1;
  for (size_t i = rank - 1; i-- > 0;) {
    std::string term = "d" + std::to_string(i);
    if (i + 2 < rank)
      term += " * " + std::to_string(stride);
    rows = rows.empty() ? term : term + " + " + rows;
    stride *= i + 2 == rank && inTiles ? alignUp(shape[i], 32) : shape[i];
  }
  return "(" + dims + ") -> (" + (rank == 1 ? "0" : rows) + ", d" + std::to_string(rank - 1) + ")";
}

/// A tensor's type as text.
std::string typeText(const TensorDesc &desc, ModuleText::Place place) {
  const bool onHost = place == ModuleText::Place::HostRows, inTiles = place == ModuleText::Place::DramTiles;
  TensorLayout layout =
      onHost ? systemMemory(desc) : dramInterleaved(desc, inTiles ? PageLayout::Tile : PageLayout::RowMajor);
  std::string shape, format = name(desc.dtype).str();
  for (int64_t extent : desc.shape)
    shape += std::to_string(extent) + "x";
  std::string tile = "!ttcore.tile<32x32, " + format + ">";
  std::string element = isBlockFloat(desc.dtype) ? tile : desc.dtype == DataType::UInt32 ? "ui32" : format;
  std::string memref =
      std::to_string(layout.shard.rows) + "x" + std::to_string(layout.shard.columns) + "x" +
      (inTiles ? tile : element) +
      (onHost ? ", #ttnn.buffer_type<system_memory>>" : ", #ttnn.buffer_type<dram>>, <interleaved>");
  return "tensor<" + shape + element + ", #ttnn.ttnn_layout<" + mapText(desc.shape, inTiles) +
         ", <1x1>, memref<" + memref + ">>";
}

} // namespace

std::string tessera::numberList(llvm::ArrayRef<int64_t> numbers, const char *type) {
  std::string text;
  for (int64_t number : numbers)
    text += (text.empty() ? "" : ", ") + std::to_string(number) + type;
  return text;
}

std::string tessera::shapeText(llvm::ArrayRef<int64_t> shape) {
  std::string text;
  for (int64_t extent : shape)
    text += (text.empty() ? "" : "x") + std::to_string(extent);
  return text;
}

ModuleText::Named ModuleText::argument(TensorDesc desc, Place place, const std::string &attributes) {
  Named named{newName(), desc, typeText(desc, place)};
  arguments += (arguments.empty() ? "" : ", ") + named.name + ": " + named.type +
               (attributes.empty() ? "" : " " + attributes);
  return named;
}

void ModuleText::line(const std::string &result, const std::string &op, llvm::ArrayRef<Named> operands,
                      const std::string &attributes, const std::string &resultType,
                      const std::string &device) {
  std::string texts, types;
  for (const Named &operand : operands) {
    texts += (texts.empty() ? "" : ", ") + operand.name;
    types += (types.empty() ? "" : ", ") + operand.type;
  }
  if (!device.empty()) {
    texts += (texts.empty() ? "" : ", ") + device;
    types += types.empty() ? "!ttnn.device" : ", !ttnn.device";
  }
  body += result + "\"ttnn." + op + "\"(" + texts + ")" +
          (attributes.empty() ? "" : " <{" + attributes + "}>") + " : (" + types + ") -> " + resultType +
          "\n";
}

ModuleText::Named ModuleText::made(const std::string &op, llvm::ArrayRef<Named> operands,
                                   const std::string &attributes, TensorDesc result,
                                   const std::string &device, Place place) {
  Named made{newName(), result, typeText(result, place)};
  line(made.name + " = ", op, operands, attributes, made.type, device);
  return made;
}

std::pair<ModuleText::Named, ModuleText::Named> ModuleText::madeTwo(const std::string &op,
                                                                    llvm::ArrayRef<Named> operands,
                                                                    const std::string &attributes,
                                                                    TensorDesc first, TensorDesc second) {
  Named a{newName(), first, typeText(first, Place::DramTiles)},
      b{newName(), second, typeText(second, Place::DramTiles)};
  line(a.name + ", " + b.name + " = ", op, operands, attributes, "(" + a.type + ", " + b.type + ")");
  return {a, b};
}

void ModuleText::writeCache(const Named &cache) {
  const Shape &shape = cache.desc.shape;
  Named rows = argument(with({1, shape[0], shape[1], shape[3]}, cache));
  Named positions = argument({{shape[0]}, DataType::Int32});
  line("", "paged_update_cache", {cache, rows, positions}, "share_cache = false", "()");
}

std::string ModuleText::device() {
  std::string device = newName();
  body += device +
          " = \"ttnn.get_device\"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape "
          "1x1>}> : () -> !ttnn.device\n";
  return device;
}

std::string ModuleText::moduleReturning(llvm::ArrayRef<Named> results) const {
  std::string names, types;
  for (const Named &result : results) {
    names += (names.empty() ? "" : ", ") + result.name;
    types += (types.empty() ? "" : ", ") + result.type;
  }
  return "module {\nfunc.func @main(" + arguments + ") -> (" + types + ") {\n" + body + "return " + names +
         " : " + types + "\n}\n}\n";
}
