//===- EmbeddedLayout.cpp - tessera layout, for other programs ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// `tessera layout` as an answer in JSON. Arguments are read by the command's
// own reader, so that both take the same words and refuse them alike.
//
//===----------------------------------------------------------------------===//
#include "Ops/LayoutRequest.h"

#include "tessera/Device/DeviceNames.h"
#include "tessera/Driver/Embedded.h"
#include "tessera/Layout/MetalToTtnn.h"
#include "tessera/OpModel/LayoutJson.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;
using namespace tessera::embedded;
namespace json = llvm::json;

namespace {

json::Array numbers(llvm::ArrayRef<int64_t> values) { return json::Array(values); }

json::Object sizesOf(const MetalGeometry &geometry) {
  return json::Object{{"attribute", describe(geometry.layout())},
                      {"collapsed", numbers(geometry.collapsedShape())},
                      {"shard_shape", numbers(geometry.scalarShard())},
                      {"memref", numbers(geometry.layout().shard)},
                      {"cores", geometry.cores()},
                      {"elements", geometry.logicalVolume()},
                      {"padding_elements", geometry.paddingVolume()},
                      {"utilisation", geometry.utilisation()},
                      {"page_bytes", geometry.pageBytes().value()},
                      {"page_stride", geometry.pageStride().value()},
                      {"bytes_per_core", geometry.bytesPerCore().value()},
                      {"reserved_bytes_per_core", geometry.reservedPerCore().value()},
                      {"total_bytes", geometry.totalBytes().value()}};
}

/// Where one element lies: its place in the collapsed shape, the core, the place in the core's shard, and the byte
/// (and bit, of formats below a byte) there. Block formats keep exponents apart.
json::Object elementOf(const MetalGeometry &geometry, llvm::ArrayRef<int64_t> index) {
  MetalLocation at = geometry.locate(index);
  json::Object element{{"collapsed", numbers(at.collapsed)}, {"core", numbers(at.core)},
                       {"in_shard", numbers(at.inShard)},    {"unit", numbers(at.unit)},
                       {"offset", at.offset.value()},        {"bit", int64_t(at.bit)}};
  if (at.exponent)
    element["exponent_offset"] = at.exponent->value();
  return element;
}

/// The boxes of padding, as many as a person or a script can use.
json::Array paddingOf(const MetalGeometry &geometry) {
  constexpr size_t kMostBoxes = 10'000;
  json::Array boxes;
  for (int64_t number = 0; number != geometry.cores() && boxes.size() != kMostBoxes; ++number) {
    Index core = geometry.coreAt(number);
    geometry.forEachPaddingRegion(core, [&](const ElementBox &box) {
      boxes.push_back(
          json::Object{{"core", numbers(core)}, {"from", numbers(box.begin)}, {"to", numbers(box.end)}});
      return boxes.size() != kMostBoxes;
    });
    // No other core has any either, and a virtual grid may have millions of them.
    if (geometry.paddingVolume() == 0)
      break;
  }
  return boxes;
}

/// TTNN knows fewer layouts than there are: null, and why, is an answer and no failure.
void addTtnn(json::Object &object, const MetalGeometry &geometry, const DeviceSpec &device) {
  object["ttnn"] = nullptr;
  object["not_ttnn_because"] = "";
  if (llvm::Expected<TensorLayout> layout = toTensorLayout(geometry.layout(), geometry.shape(), device))
    object["ttnn"] = toJson(*layout);
  else
    object["not_ttnn_because"] = llvm::toString(layout.takeError());
}

Failure failed(std::string message) { return {std::move(message), {}}; }

} // namespace

Outcome<std::string> embedded::metalLayout(const LayoutArguments &arguments) {
  LayoutRequest request;
  if (std::string problem = readLayoutArguments(arguments, request); !problem.empty())
    return failed(problem);
  llvm::Expected<const DeviceSpec *> device = deviceNamed(arguments.device);
  if (!device)
    return failed(llvm::toString(device.takeError()));
  llvm::Expected<MetalLayout> layout =
      buildMetalLayout(request.shape, request.dtype, request.grid, request.options);
  if (!layout)
    return failed(llvm::toString(layout.takeError()));
  llvm::Expected<MetalGeometry> geometry =
      MetalGeometry::create(*layout, request.shape, nocAlignment(layout->space, **device));
  if (!geometry)
    return failed(llvm::toString(geometry.takeError()));
  json::Object object = sizesOf(*geometry);
  addTtnn(object, *geometry, **device);
  if (request.index)
    object["element"] = elementOf(*geometry, *request.index);
  if (arguments.padding)
    object["padding"] = paddingOf(*geometry);
  std::string text;
  llvm::raw_string_ostream(text) << json::Value(std::move(object));
  return text;
}
