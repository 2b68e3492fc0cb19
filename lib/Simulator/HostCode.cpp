//===- HostCode.cpp - Functions that run on the host ----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Compiling is the plug-in's (HostPlugin.h); calling is here.
//
//===----------------------------------------------------------------------===//
#include "tessera/Simulator/HostCode.h"

#include "PageFormat.h"

#include "tessera/Layout/BlockFloat.h"
#include "tessera/Simulator/HostPlugin.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <cstdlib>
#include <dlfcn.h>
#include <set>

namespace tessera::simulator {

namespace {

struct Plugin {
  decltype(&tesseraHostCompile) compile = nullptr;
  decltype(&tesseraHostSymbol) symbol = nullptr;
  decltype(&tesseraHostDispose) dispose = nullptr;
  std::string error; ///< why it is not there
};

/// The plug-in lies in lib, beside the folder of the program.
std::string pluginPath() {
  static int anchor;
  llvm::SmallString<256> path(llvm::sys::fs::getMainExecutable(nullptr, &anchor));
  llvm::sys::path::remove_filename(path);
  llvm::sys::path::append(path, "..", "lib", "libtessera-host.so");
  return path.str().str();
}

Plugin loadPlugin() {
  Plugin plugin;
  // At run time, as the compiler in it is larger than all else, and only modules with functions of the host
  // need it.
  void *handle = dlopen(pluginPath().c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    plugin.error = dlerror();
    return plugin;
  }
  auto find = [&](auto &function, const char *name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(handle, name));
    if (!function)
      plugin.error = std::string("it has no ") + name;
  };
  find(plugin.compile, "tesseraHostCompile");
  find(plugin.symbol, "tesseraHostSymbol");
  find(plugin.dispose, "tesseraHostDispose");
  return plugin;
}

const Plugin &plugin() {
  static const Plugin plugin = loadPlugin();
  return plugin;
}

llvm::Error takeMessage(char *message) {
  llvm::Error error = failure(message ? message : "no message");
  std::free(message);
  return error;
}

class CompiledCode final : public HostCode {
public:
  explicit CompiledCode(void *code) : code(code) {}
  CompiledCode(const CompiledCode &) = delete;
  CompiledCode &operator=(const CompiledCode &) = delete;
  ~CompiledCode() override { plugin().dispose(code); }

  llvm::Expected<void *> symbol(const std::string &name) const override {
    char *message = nullptr;
    if (void *address = plugin().symbol(code, name.c_str(), &message))
      return address;
    return takeMessage(message);
  }

private:
  void *code;
};

// ---- Calls -----------------------------------------------------------------------------------------------

/// A tensor as tt-mlir's wrappers take it.
/// The head of a memref descriptor, with a pointer to what MLIR keeps in line: as many sizes as the rank is, then as
/// many strides, in elements.
struct WrappedTensor {
  void *allocated = nullptr, *aligned = nullptr;
  int64_t offset = 0;
  int64_t *sizesAndStrides = nullptr;
};

/// The elements in their format, row by row.
std::vector<uint8_t> packed(const DenseTensor &tensor) {
  // As one page that is one row: formats of elements are the pages' affair (PageFormat.h).
  std::vector<uint8_t> bytes(size_t(tensor.volume() * scalarBytes(tensor.desc.dtype).value()));
  int64_t row = 0;
  PageRows rows{row, 0, tensor.volume(), tensor.volume()};
  storePage(tensor.desc.dtype, /*tiled=*/false, tensor, rows, bytes.data());
  return bytes;
}

/// Error if the function's result is not dense and of the shape that is wanted.
llvm::Error unpack(const WrappedTensor &from, DenseTensor &to) {
  Shape strides = rowMajorStrides(to.shape());
  size_t rank = to.shape().size();
  for (size_t dim = 0; dim < rank; ++dim)
    // The stride of an extent of 1 is never gone, so it may be anything.
    if (from.sizesAndStrides[dim] != to.shape()[dim] ||
        (to.shape()[dim] > 1 && from.sizesAndStrides[rank + dim] != strides[dim]))
      return failure("a function of the host returns another shape than " + describe(to.desc));
  const auto *bytes =
      static_cast<const uint8_t *>(from.aligned) + from.offset * scalarBytes(to.desc.dtype).value();
  int64_t row = 0;
  PageRows rows{row, 0, to.volume(), to.volume()};
  loadPage(to.desc.dtype, /*tiled=*/false, to, rows, bytes);
  return llvm::Error::success();
}

using Wrapper = WrappedTensor *(*)(WrappedTensor *);

/// The wrapper allocates what it returns by malloc: the array, shapes, and elements that are not an operand's.
void release(llvm::MutableArrayRef<WrappedTensor> results, llvm::ArrayRef<WrappedTensor> operands) {
  std::set<void *> kept;
  for (const WrappedTensor &operand : operands)
    // A function may return an operand as it is.
    kept.insert(operand.allocated);
  for (const WrappedTensor &result : results) {
    if (kept.insert(result.allocated).second)
      std::free(result.allocated);
    std::free(result.sizesAndStrides);
  }
  std::free(results.data());
}

llvm::Error callWrapper(Wrapper wrapper, KernelCall &call) {
  std::vector<std::vector<uint8_t>> elements;
  std::vector<std::vector<int64_t>> shapes;
  std::vector<WrappedTensor> operands;
  for (const DenseTensor *operand : call.operands) {
    if (isBlockFloat(operand->desc.dtype))
      return failure("functions of the host take no block float");
    elements.push_back(packed(*operand));
    Shape strides = rowMajorStrides(operand->shape());
    shapes.emplace_back(operand->shape().begin(), operand->shape().end());
    shapes.back().insert(shapes.back().end(), strides.begin(), strides.end());
  }
  for (size_t i = 0; i < elements.size(); ++i)
    operands.push_back({elements[i].data(), elements[i].data(), 0, shapes[i].data()});
  WrappedTensor *made = wrapper(operands.data());
  llvm::MutableArrayRef<WrappedTensor> results(made, call.results.size());
  // All results are looked at before any error is returned, as their memory has to be given back in any case.
  llvm::Error error = llvm::Error::success();
  for (auto [from, to] : llvm::zip_equal(results, call.results))
    error = llvm::joinErrors(std::move(error), unpack(from, to));
  release(results, operands);
  return error;
}

} // namespace

llvm::Expected<std::shared_ptr<HostCode>> HostCode::compile(llvm::StringRef text) {
  if (!plugin().error.empty())
    return failure("functions of the host need a plug-in: " + plugin().error);
  char *message = nullptr;
  if (void *code = plugin().compile(text.data(), text.size(), &message))
    return std::make_shared<CompiledCode>(code);
  return takeMessage(message);
}

llvm::Expected<HostKernel> hostKernel(std::shared_ptr<HostCode> code, const std::string &name) {
  llvm::Expected<void *> address = code->symbol(name);
  if (!address)
    return address.takeError();
  auto wrapper = reinterpret_cast<Wrapper>(*address);
  // Compiled code lives as long as a kernel that calls it.
  return HostKernel(
      [code = std::move(code), wrapper](KernelCall &call) { return callWrapper(wrapper, call); });
}

} // namespace tessera::simulator
