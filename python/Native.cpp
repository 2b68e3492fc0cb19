//===- Native.cpp - The Python module behind `import tessera` -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Hands texts to and fro; tessera/__init__.py makes objects of them. The interpreter's lock is released in every call: all of them take plain
// strings, and planning takes seconds.
//
//===----------------------------------------------------------------------===//
#include "tessera/Driver/Embedded.h"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

namespace py = pybind11;
using namespace tessera::embedded;

namespace {

py::dict asDict(const Diagnostic &said) {
  py::dict entry;
  entry["severity"] = said.severity;
  entry["message"] = said.message;
  entry["file"] = said.file;
  entry["line"] = said.line;
  entry["column"] = said.column;
  return entry;
}

py::list asList(const std::vector<Diagnostic> &all) {
  py::list list;
  for (const Diagnostic &each : all)
    list.append(asDict(each));
  return list;
}

[[noreturn]] void raise(const Failure &failure) {
  py::object type = py::module_::import("tessera").attr("TesseraError");
  py::object error = type(failure.message, asList(failure.diagnostics));
  PyErr_SetObject(type.ptr(), error.ptr());
  throw py::error_already_set();
}

/// The value, or (message, diagnostics) raised as the package's own exception.
template <class T>
T valueOf(Outcome<T> outcome) {
  if (auto *failure = std::get_if<Failure>(&outcome))
    raise(*failure);
  return std::move(std::get<T>(outcome));
}

/// What `call` answers, with the lock released meanwhile.
template <class Call>
auto unlocked(Call call) {
  py::gil_scoped_release released;
  return call();
}

} // namespace

PYBIND11_MODULE(_native, module) {
  module.def("optimize", [](std::string text, std::string name, std::vector<std::string> options) {
    OptimizeRequest request{std::move(text), std::move(name), std::move(options)};
    Optimized optimized = valueOf(unlocked([&] { return optimize(request); }));
    return py::make_tuple(optimized.ir, optimized.summary, optimized.decisions,
                          asList(optimized.diagnostics));
  });
  module.def("write_files", [](std::vector<std::pair<std::string, std::string>> textsByPath) {
    if (std::optional<Failure> wrong = unlocked([&] { return writeFiles(textsByPath); }))
      raise(*wrong);
  });
  module.def("explain", [](std::string decisions, std::string op) {
    return valueOf(unlocked([&] { return explain(decisions, op); }));
  });
  module.def("time_by", [](std::string decisions, std::string by) {
    return valueOf(unlocked([&] { return timeBy(decisions, by); }));
  });
  module.def("diff", [](std::string before, std::string after) {
    return valueOf(unlocked([&] { return diff(before, after); }));
  });
  module.def("table", [](std::string decisions, std::string name) {
    return valueOf(unlocked([&] { return table(decisions, name); }));
  });
  module.def("candidates", [](std::string text, std::string name, std::vector<std::string> options,
                              std::string op, bool all) {
    OptimizeRequest request{std::move(text), std::move(name), std::move(options)};
    return valueOf(unlocked([&] { return candidates(request, op, all); }));
  });
  module.def("compile_stablehlo", [](std::string stablehlo, int64_t level, std::string device) {
    return valueOf(unlocked([&] { return compileStableHlo(stablehlo, level, device); }));
  });
  module.def("option_names", &optionNames);
  module.def("verify", [](std::string before, std::string beforeName, std::string after,
                          std::string afterName, std::string inputs) {
    OptimizeRequest first{before, beforeName, {}}, second{after, afterName, {}};
    return valueOf(unlocked([&] { return verify(first, second, inputs); }));
  });
  module.attr("__version__") = TESSERA_VERSION;
  module.def("policies", &policyNames);
  module.def("devices", &devices);
  module.def("report", [](std::string decisions, std::string against) {
    return valueOf(unlocked([&] { return report(decisions, against); }));
  });
  // Text and numbers only go in and out: Python has the defaults from here, so that it cannot have others.
  module.attr("DEFAULT_L1_USAGE_CAP") = tessera::kDefaultL1UsageCap;
  module.def("layout", [](std::string tensor, std::string words, std::string device) {
    return valueOf(unlocked([&] { return layout(tensor, words, device); }));
  });
  module.def("metal_layout", [](std::string shape, std::string grid, std::string dtype, std::string tile,
                                std::string collapse, std::string align, std::string oob, std::string memory,
                                std::string device, std::string index, bool padding) {
    tessera::LayoutArguments arguments{shape, grid,   dtype, tile,   collapse, align,
                                       oob,   memory, index, device, "",       padding};
    return valueOf(unlocked([&] { return metalLayout(arguments); }));
  });
  module.def("query", [](std::string text, std::string device, double l1UsageCap) {
    return valueOf(unlocked([&] { return query(text, device, l1UsageCap); }));
  });
}
