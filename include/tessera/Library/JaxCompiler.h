//===- JaxCompiler.h - The public compiler for models of JAX --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The package jax-tt-plugin holds the vendor's whole compiler, and works for a chip that is not there (docs/import.md).
// Like ttnn it is optional, lives in an environment of its own, and is only ever run as a child process.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIBRARY_JAXCOMPILER_H
#define TESSERA_LIBRARY_JAXCOMPILER_H

#include "tessera/Device/DeviceSpec.h"

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace tessera {

/// The version of jax-tt-plugin that is set up.
inline constexpr llvm::StringLiteral kJaxVersion = "0.1.3";
/// The version of the vendor's library of the same month, which its modules are for (facts/vendor-library).
inline constexpr llvm::StringLiteral kJaxLibrary = "0.81.1";
/// The version of PyTorch that is set up for models of PyTorch.
inline constexpr llvm::StringLiteral kTorchVersion = "2.12.1";
/// Names a Python that has jax and jax-tt-plugin, of whichever version; outranks what was set up.
inline constexpr llvm::StringLiteral kJaxVariable = "TESSERA_JAX";

/// A Python that has the compiler. The error says how to get one.
llvm::Expected<std::string> findJax();
/// Makes the environment, unless it is there; some 250 MB from PyPI. `python` is as of setupTtnn.
llvm::Expected<std::string> setupJax(llvm::StringRef python);
/// The same of a Python that has PyTorch beside it, and torchax, by which JAX reads models of PyTorch; some 3 GB from
/// PyPI, whose PyTorch for Linux brings the libraries of another vendor's chips along.
llvm::Expected<std::string> findTorch();
llvm::Expected<std::string> setupTorch(llvm::StringRef python);

/// What is to be compiled: a function that JAX can trace, a model of PyTorch, or a module.
struct JaxRequest {
  std::string function;                ///< "package.module:function" or "file.py:function"
  std::string model;                   ///< the same of a torch.nn.Module, or of what makes one
  std::vector<std::string> shapes;     ///< of its arguments: "32x2048xbf16"
  std::vector<std::string> parameters; ///< which of them are weights: names, "2", "2-8", "2-"
  std::vector<std::string> donated;    ///< which of them the caller gives up; likewise
  std::string stablehlo;               ///< a module's text
  int64_t level = 1;                   ///< of the compiler's optimization, 0 to 2
};

/// The TTNN module that the compiler makes of it for one such chip, as text. On a terminal, standard error tells how
/// far it is. The error is one sentence that says what to do.
llvm::Expected<std::string> compileWithJax(const std::string &python, const JaxRequest &request,
                                           const DeviceSpec &device);

} // namespace tessera

#endif // TESSERA_LIBRARY_JAXCOMPILER_H
