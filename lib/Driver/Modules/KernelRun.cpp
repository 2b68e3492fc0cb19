//===- KernelRun.cpp - A program on the library's own kernels -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Two simulators of different kinds are compared: Tessera's, which knows what
// ops mean, and one of the hardware, which runs the library's kernels. Beside
// both stands a run of Tessera's that does not round. Without it a difference
// would not say on which side the error is.
//
//===----------------------------------------------------------------------===//
#include "KernelRun.h"
#include "../Common/Session.h"
#include "PythonProgram.h"

#include "tessera/Library/TtnnLibrary.h"
#include "tessera/Simulator/Compare.h"
#include "tessera/Simulator/Npy.h"
#include "tessera/Support/TextTable.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace tessera;
using simulator::DenseTensor;
namespace fs = llvm::sys::fs;
namespace json = llvm::json;

namespace {

/// "FOLDER/NAME", with the separator of the system.
std::string fileIn(llvm::StringRef folder, const llvm::Twine &name) {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, name);
  return path.str().str();
}

/// What the kernels computed, by result.
struct KernelResults {
  std::string version; ///< of the library
  int64_t statements = 0;
  std::vector<DenseTensor> returned;
};

/// The results that a program left in `folder`, of the types that the function returns.
llvm::Expected<std::vector<DenseTensor>> readResults(const simulator::Function &function,
                                                     llvm::StringRef folder) {
  std::vector<DenseTensor> results;
  for (auto [number, value] : llvm::enumerate(function.returned)) {
    llvm::Expected<DenseTensor> result =
        simulator::readNpy(fileIn(folder, llvm::Twine(number) + ".npy"), function.values[value].desc);
    if (!result)
      return result.takeError();
    results.push_back(std::move(*result));
  }
  return results;
}

/// Runs the program in a folder of its own, in which its inputs and results lie as files meanwhile.
llvm::Expected<KernelResults> runProgram(TtnnSession &session, llvm::StringRef main,
                                         const simulator::Function &function,
                                         llvm::ArrayRef<DenseTensor> inputs) {
  llvm::SmallString<128> folder;
  if (std::error_code error = fs::createUniqueDirectory("tessera-kernels", folder))
    return llvm::createStringError(error, "cannot make a temporary folder: " + error.message());
  llvm::scope_exit remove([&] {
    // It may be gone already. NOLINTNEXTLINE(bugprone-unused-return-value)
    fs::remove_directories(folder);
  });
  // Inputs go as files: arrays of a model are too large for a line of JSON.
  json::Array files;
  for (auto [number, tensor] : llvm::enumerate(inputs)) {
    std::string path = fileIn(folder, "input" + llvm::Twine(number) + ".npy");
    if (!writeFiles({{path, [&, tensor = &tensor](llvm::raw_ostream &os) { writeNpy(*tensor, os); }}}))
      return llvm::createStringError("the inputs could not be written");
    files.push_back(path);
  }
  // Shapes as the function's arguments have them.
  json::Array takes;
  for (size_t argument : function.arguments)
    takes.push_back(json::Array(function.values[argument].desc.shape));
  std::string request;
  llvm::raw_string_ostream(request) << json::Value(json::Object{{"python", main},
                                                                {"takes", std::move(takes)},
                                                                {"inputs", std::move(files)},
                                                                {"outputs", folder.str()}});
  llvm::Expected<json::Object> answer = session.ask(request);
  if (!answer)
    return answer.takeError();
  // The first is the program's own, the second that of who runs the library.
  for (llvm::StringRef key : {"trouble", "message"})
    if (std::optional<llvm::StringRef> trouble = answer->getString(key))
      return llvm::createStringError("the program stopped: " + *trouble);
  llvm::Expected<std::vector<DenseTensor>> returned = readResults(function, folder);
  if (!returned)
    return returned.takeError();
  return KernelResults{session.about().getString("version").value_or("of an unknown version").str(),
                       answer->getInteger("ops").value_or(0), std::move(*returned)};
}

/// A row per result: how far the kernels are from our simulator, and how far both are from unrounded values.
void printComparison(const simulator::Function &function, llvm::ArrayRef<DenseTensor> kernels,
                     const simulator::RunResult &simulated, const simulator::RunResult &exact) {
  TextTable table({{"tensor"},
                   {"type"},
                   {"PCC with the simulator", Align::Right},
                   {"apart (rms)", Align::Right},
                   {"error of the kernels", Align::Right},
                   {"of the simulator", Align::Right}});
  auto percent = [](double share) { return llvm::formatv("{0:F3} %", 100 * share).str(); };
  for (auto [number, result] : llvm::enumerate(kernels)) {
    // One chip, so the first device is all there is.
    const DenseTensor &ours = simulated.returned[number].front(), &truth = exact.returned[number].front();
    simulator::Comparison apart = compare(result, ours);
    table.add({function.name + ".result" + std::to_string(number), simulator::describe(ours.desc),
               llvm::formatv("{0:F6}", apart.pcc), percent(apart.relativeRms),
               percent(compare(result, truth).relativeRms), percent(compare(ours, truth).relativeRms)});
  }
  table.print(llvm::outs());
}

/// The kernels' results as FUNCTION.result0.npy and so on; nothing is written if no folder is named.
bool writeOutputs(const std::string &folder, const simulator::Function &function,
                  llvm::ArrayRef<DenseTensor> results) {
  if (folder.empty())
    return true;
  std::vector<OutputFile> files;
  for (auto [number, tensor] : llvm::enumerate(results))
    files.push_back({fileIn(folder, function.name + ".result" + llvm::Twine(number) + ".npy"),
                     [tensor = &tensor](llvm::raw_ostream &os) { writeNpy(*tensor, os); }});
  return writeFiles(std::move(files));
}

} // namespace

llvm::Expected<TtnnSession> tessera::openOnSimulator(const std::string &simulator, const std::string &version,
                                                     const DeviceSpec &device) {
  llvm::SmallString<128> path(simulator);
  // The library's process works in a folder of its own.
  if (std::error_code error = fs::make_absolute(path))
    return llvm::createStringError(error, "'" + simulator + "': " + error.message());
  if (!fs::exists(path))
    return llvm::createStringError("there is no '" + simulator +
                                   "'; ttsim, for one, is a simulator that the library can load");
  llvm::Expected<TtnnLibrary> library = findTtnn(version);
  if (!library)
    return library.takeError();
  llvm::Expected<std::string> sfpi = findSfpi();
  if (!sfpi)
    return sfpi.takeError();
  // By its first bytes and not by its name, before a process of the library is started.
  llvm::file_magic magic;
  if (llvm::identify_magic(path, magic) || magic != llvm::file_magic::elf_shared_object)
    return llvm::createStringError("'" + simulator +
                                   "' is no shared library; ttsim's are libttsim_wh.so and "
                                   "libttsim_bh.so");
  return TtnnSession::open(*library, device, RealKernels{path.str().str(), std::move(*sfpi)});
}

int tessera::runOnKernels(const SimulationArguments &arguments, const SimulatedFile &file,
                          const SimulatorInputs &inputs, const simulator::MachineOptions &options) {
  const DeviceSpec &device = file.model().device();
  std::vector<const simulator::Function *> functions = file.forwardFunctions();
  // The folder of results has no place for those of another function or chip.
  if (functions.size() != 1 || device.mesh.volume() != 1)
    return inputError("a program is of one function and one chip; '" + arguments.input + "' has " +
                      llvm::Twine(functions.size()) + " for " + llvm::Twine(device.mesh.volume()));
  const simulator::Function &function = *functions.front();
  llvm::Expected<std::string> main = mainOfProgram(arguments.python, arguments.input);
  if (!main)
    return inputError(llvm::toString(main.takeError()));
  llvm::Expected<std::vector<DenseTensor>> given = file.arguments(function, inputs);
  if (!given)
    return inputError(llvm::toString(given.takeError()));
  // First what is quick: a mistake in the inputs shows before kernels are compiled.
  std::optional<simulator::RunResult> simulated = file.run(function, inputs, options);
  // The same inputs for all three runs, or a difference would be theirs.
  std::optional<simulator::RunResult> exact = file.runUnrounded(function, inputs, options);
  if (!simulated || !exact)
    return kInputError;
  llvm::Expected<TtnnSession> session = openOnSimulator(arguments.simulator, arguments.version, device);
  if (!session)
    return inputError(llvm::toString(session.takeError()));
  llvm::Expected<KernelResults> kernels = runProgram(*session, *main, function, *given);
  if (!kernels)
    return inputError(llvm::toString(kernels.takeError()));
  llvm::outs() << "library    ttnn " << kernels->version << " with its kernels, on "
               << llvm::sys::path::filename(arguments.simulator) << " as " << device.name << "\n"
               << "program    " << kernels->statements << " statements ran, to the end\n\n";
  printComparison(function, kernels->returned, *simulated, *exact);
  // After what is printed: a disk that is full should not take the comparison with it.
  return writeOutputs(arguments.outputs, function, kernels->returned) ? kSuccess : kInputError;
}
