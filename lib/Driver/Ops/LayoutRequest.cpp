//===- LayoutRequest.cpp - What tessera layout is asked for ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Arguments are read here and not by CLI11, as the Python package has the same
// ones. The order in which they are read is that in which they are told wrong.
//
//===----------------------------------------------------------------------===//
#include "LayoutRequest.h"

#include "tessera/Support/NearestNames.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <limits>

namespace tessera {
namespace {

// Each function reads one argument and returns what is wrong with it, or "".

/// `2x3x64` or `2,3,64`.
std::string readNumbers(llvm::StringRef option, llvm::StringRef text,
                        llvm::SmallVectorImpl<int64_t> &numbers) {
  constexpr int64_t kMax = std::numeric_limits<int32_t>::max();
  for (llvm::StringRef part : llvm::split(text, text.contains('x') ? 'x' : ',')) {
    int64_t number = 0;
    if (part.trim().getAsInteger(10, number) || number < 0 || number > kMax)
      return llvm::formatv("{0} {1}: expected numbers below 2^31, as in 2x3x64", option, text);
    numbers.push_back(number);
  }
  return "";
}

/// `32x32`; "" means no tile.
std::string readTile(llvm::StringRef text, std::optional<TileShape> &tile) {
  if (text.empty())
    return "";
  Shape numbers;
  // Its message is of shapes in general, and a tile has two numbers.
  if (!readNumbers("--tile", text, numbers).empty() || numbers.size() != 2)
    return llvm::formatv("--tile {0}: a tile has height and width, as in 32x32", text);
  tile = TileShape{numbers[0], numbers[1]};
  return "";
}

/// `0:3,-3:-1`, or `none`.
std::string readIntervals(llvm::StringRef text, llvm::SmallVectorImpl<CollapseInterval> &intervals) {
  intervals.clear();
  if (text == "none")
    return "";
  for (llvm::StringRef part : llvm::split(text, ',')) {
    auto [begin, end] = part.split(':');
    CollapseInterval interval;
    if (begin.trim().getAsInteger(10, interval.begin) || end.trim().getAsInteger(10, interval.end))
      return llvm::formatv(
          "--collapse {0}: expected begin:end, several with commas between them, or none; as in "
          "0:3,-3:-1",
          text);
    intervals.push_back(interval);
  }
  return "";
}

/// "" means no alignment.
std::string readAlignments(llvm::StringRef text, Shape &alignments) {
  return text.empty() ? "" : readNumbers("--align", text, alignments);
}

/// One of the names of an enum that counts from 0 to `last`.
template <class Enum>
std::string readName(llvm::StringRef option, llvm::StringRef text, Enum last, Enum &value) {
  llvm::SmallVector<llvm::StringRef> known;
  for (unsigned i = 0; i <= unsigned(last); ++i) {
    known.push_back(name(Enum(i)));
    if (known.back() == text) {
      value = Enum(i);
      return "";
    }
  }
  return llvm::formatv("{0} {1}: not known{2}; known: {3}", option, text, didYouMean(text, known),
                       join(known, ", "));
}

/// "" means no index.
std::string readIndex(llvm::StringRef text, llvm::ArrayRef<int64_t> shape, std::optional<Index> &index) {
  if (text.empty())
    return "";
  Index numbers;
  if (std::string problem = readNumbers("--index", text, numbers); !problem.empty())
    return problem;
  bool inside = numbers.size() == shape.size();
  for (size_t d = 0; inside && d != shape.size(); ++d)
    inside = numbers[d] < shape[d];
  if (!inside)
    return llvm::formatv("--index {0}: the tensor has no such element, its shape is {1}", text,
                         join(map_range(shape, [](int64_t extent) { return std::to_string(extent); }), "x"));
  index = std::move(numbers);
  return "";
}

} // namespace

std::string readLayoutArguments(const LayoutArguments &arguments, LayoutRequest &request) {
  MetalLayoutOptions &options = request.options;
  // In this order, which braces guarantee: an index is looked up in the shape that was read.
  std::string problems[] = {
      readNumbers("--shape", arguments.shape, request.shape),
      readNumbers("--grid", arguments.grid, request.grid),
      readName("--dtype", arguments.dtype, DataType::Bool, request.dtype),
      readTile(arguments.tile, options.tile),
      readIntervals(arguments.collapse, options.collapse),
      readAlignments(arguments.align, options.alignments),
      readName("--oob", arguments.oob, OobValue::NegInf, options.oob),
      readName("--memory", arguments.memory, MemorySpace::DeviceL1, options.space),
      readIndex(arguments.index, request.shape, request.index),
  };
  for (std::string &problem : problems)
    if (!problem.empty())
      return std::move(problem);
  return "";
}

} // namespace tessera
