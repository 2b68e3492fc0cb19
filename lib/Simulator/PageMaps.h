//===- PageMaps.h - The page maps of a program's values -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_SIMULATOR_PAGEMAPS_H
#define TESSERA_LIB_SIMULATOR_PAGEMAPS_H

#include "tessera/Simulator/PageMap.h"
#include "tessera/Simulator/Program.h"

#include <map>
#include <memory>

namespace tessera::simulator {

/// An error with its place in front, as the parser's have.
inline llvm::Error at(const Step &step, const llvm::Twine &message) {
  return failure(step.place + ": error: " + message);
}
inline llvm::Error at(const Step &step, llvm::Error error) {
  return at(step, llvm::toString(std::move(error)));
}

/// What all pages of a tensor take on one device, in all banks together.
inline Bytes storedBytes(const PageMap &map) { return map.pageSize() * map.pages().volume(); }

/// Page maps of all values of the functions that run; made when first asked for.
class PageMaps {
public:
  explicit PageMaps(const DeviceSpec &device) : device(device) {}
  /// Stays where it is: handles point to it. The error is that of PageMap::make().
  llvm::Expected<const PageMap *> get(const Function &function, size_t value) {
    std::unique_ptr<PageMap> &map = maps[{&function, value}];
    if (map)
      return map.get();
    llvm::Expected<PageMap> made =
        PageMap::make(function.values[value].layout, function.values[value].desc, device);
    if (!made)
      return made.takeError();
    map = std::make_unique<PageMap>(std::move(*made));
    return map.get();
  }

private:
  const DeviceSpec &device;
  std::map<std::pair<const Function *, size_t>, std::unique_ptr<PageMap>> maps;
};

} // namespace tessera::simulator

#endif // TESSERA_LIB_SIMULATOR_PAGEMAPS_H
