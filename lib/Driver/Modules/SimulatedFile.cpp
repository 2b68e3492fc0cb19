//===- SimulatedFile.cpp - A module on a simulated device -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// What `run`, `verify` and `optimize --verify` have in common: a module that is
// read, checked to be runnable, and given its inputs. Inputs are files, or
// drawn from a seed: the same values for the same argument of every module, in
// whatever type and parts it is held.
//
// What a reader does not understand is listed and not refused. A run is of use
// without it; a comparison that passed over it would claim too much, and asks
// for that list.
//
//===----------------------------------------------------------------------===//
#include "SimulatedFile.h"

#include "../Common/CommandTree.h"
#include "../Common/ModuleFile.h"
#include "../Common/Session.h"

#include "tessera/Bridge/Loops.h"
#include "tessera/Bridge/ModuleVersion.h"
#include "tessera/Bridge/SimulatorProgram.h"
#include "tessera/Device/DeviceNames.h"
#include "tessera/Dialect/NotUnderstood.h"
#include "tessera/Guard/Guard.h"
#include "tessera/Layout/BlockFloat.h"
#include "tessera/Lowering/MetalLayouts.h"
#include "tessera/Optimizer/Optimizer.h"
#include "tessera/Simulator/Inputs.h"
#include "tessera/Simulator/Npy.h"
#include "tessera/Simulator/Unrounded.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <fcntl.h>
#include <unistd.h>

using namespace tessera;
using simulator::DenseTensor;
using simulator::MeshTensor;

namespace {

/// An error of reading has its place already; one that is about the whole file gets the usual front.
void printError(llvm::Error error) {
  std::string message = llvm::toString(std::move(error));
  if (llvm::StringRef(message).contains(": error: ")) // with its place in front, like the parser's
    errorStream() << message << "\n";
  else
    inputError(message);
}

/// What is carried unread, with places.
std::vector<std::string> notUnderstood(mlir::ModuleOp module, llvm::StringRef path) {
  std::vector<std::string> list;
  for (const NotUnderstood &entry : listNotUnderstood(module)) {
    // The dialect lets loops pass unread, but the simulator runs them.
    if (isLoop(entry.first))
      continue;
    std::string what = path.str();
    // An op that no file names, as one made by a pass, is told with the file alone.
    if (auto place = entry.first->getLoc()->findInstanceOf<mlir::FileLineColLoc>())
      what += ":" + std::to_string(place.getLine()) + ":" + std::to_string(place.getColumn());
    list.push_back(what + ": " + entry.what +
                   (entry.count > 1 ? ", " + std::to_string(entry.count) + " times" : ""));
  }
  return list;
}

/// What our reader lost of the text, "" if nothing.
std::string lostInReading(mlir::ModuleOp module, llvm::MemoryBufferRef text) {
  // There is no text that could have been lost.
  if (mlir::isBytecode(text))
    return "";
  // The module is printed and both texts are compared: what the reader passed over is in the first one only.
  std::string read;
  llvm::raw_string_ostream os(read);
  module->print(os);
  // Here nothing was planned, so nothing but defaults and spelling may differ.
  GuardOptions asRead;
  asRead.planned = false;
  return lostBetween(text, llvm::MemoryBufferRef(read, "as read"), asRead);
}

} // namespace

std::optional<SimulatorInputs> SimulatorInputs::parse(llvm::StringRef text) {
  SimulatorInputs inputs;
  llvm::StringRef rest = text;
  // "random:7"; all else is a list of files, so a file of such a name is given as "./random:7".
  if (rest.consume_front("random:")) {
    if (!rest.getAsInteger(10, inputs.seed))
      return inputs;
    usageError("--inputs random: needs a number behind it; got '" + rest + "'");
    return std::nullopt;
  }
  for (llvm::StringRef file : llvm::split(text, ','))
    inputs.files.push_back(file.str());
  return inputs;
}

std::optional<std::unique_ptr<simulator::ProcessGroup>> tessera::joinProcesses() {
  llvm::Expected<std::unique_ptr<simulator::ProcessGroup>> group = simulator::ProcessGroup::join();
  if (!group) {
    inputError(llvm::toString(group.takeError()));
    return std::nullopt;
  }
  // Results go to all processes (ProcessGroup.h), and each line would be printed as often as there are
  // processes.
  if (*group && (*group)->rank() != 0)
    if (int nowhere = open("/dev/null", O_WRONLY); nowhere >= 0) {
      dup2(nowhere, STDOUT_FILENO);
      dup2(nowhere, STDERR_FILENO);
      close(nowhere);
    }
  return std::move(*group);
}

/// The device asked for; null if none was, in which case the module says which it is. None after an error.
static std::optional<const DeviceSpec *> chosenDevice(const SimulationOptions &options) {
  const DeviceSpec *device = options.device.empty() ? nullptr : findDeviceOrDiagnose(options.device);
  // Both are looked at before it is given up, as further down.
  if ((!options.device.empty() && !device) || !checkOrDiagnose(options.opModel))
    return std::nullopt;
  return device;
}

/// What the simulator may take of the host's memory, as "8G"; none after an error.
static std::optional<Bytes> allowedMemory(const SimulationOptions &options) {
  std::optional<uint64_t> bytes = readSizeOrDiagnose("--max-mem", options.memory);
  return bytes ? std::optional(Bytes(int64_t(*bytes))) : std::nullopt;
}

/// Exact sums or those that kernels form, with their rounding; none after an error.
static std::optional<simulator::Arithmetic> chosenArithmetic(const SimulationOptions &options) {
  for (simulator::Arithmetic each : {simulator::Arithmetic::Exact, simulator::Arithmetic::Kernels})
    if (options.arithmetic == name(each))
      return each;
  usageError("unknown arithmetic '" + options.arithmetic + "'; known: " + listOfValues("ARITHMETIC"));
  return std::nullopt;
}

std::optional<ChosenSimulation> tessera::chosenSimulation(const SimulationOptions &options) {
  std::optional<const DeviceSpec *> device = chosenDevice(options);
  std::optional<Bytes> memory = allowedMemory(options);
  std::optional<SimulatorInputs> inputs = SimulatorInputs::parse(options.inputs);
  std::optional<simulator::Arithmetic> arithmetic = chosenArithmetic(options);
  // After all of them, so that each option that is wrong has its line.
  if (!device || !memory || !inputs || !arithmetic)
    return std::nullopt;
  return ChosenSimulation{*device, *memory, std::move(*inputs), *arithmetic};
}

std::unique_ptr<SimulatedFile> SimulatedFile::read(const std::string &path, const SimulationOptions &options,
                                                   const DeviceSpec *device) {
  std::unique_ptr<mlir::MLIRContext> context = makeContext();
  llvm::SourceMgr sources;
  if (!readInput(path, options.allowBytecode, sources))
    return nullptr;
  SessionDiagnostics diagnostics(context.get(), sources, /*remarks=*/false);
  mlir::AsmParserState text;
  mlir::OwningOpRef<mlir::ModuleOp> module = parseModule(sources, context.get(), text);
  if (!module)
    return nullptr;
  std::string lost = lostInReading(*module, llvm::MemoryBufferRef(mainFile(sources), path));
  std::unique_ptr<SimulatedFile> file = of(*module, path, options, device);
  if (!file)
    return nullptr;
  // Kept and not reported: a run goes on without it, a comparison does not.
  if (!lost.empty())
    file->unread.push_back(lost);
  return file;
}

std::unique_ptr<SimulatedFile> SimulatedFile::of(mlir::ModuleOp module, llvm::StringRef name,
                                                 const SimulationOptions &options, const DeviceSpec *device) {
  std::unique_ptr<SimulatedFile> file(new SimulatedFile());
  // As `optimize` reads it: what only says again what types say is understood.
  module.walk(ttnn::dropRetiredProperties);
  file->unread = ::notUnderstood(module, name);
  mlir::FailureOr<std::optional<DeviceSpec>> described = deviceOfModule(module);
  if (mlir::failed(described))
    return nullptr;
  OpModelOptions opModel = answeringFor(versionOfModule(module), options.opModel);
  DeviceSpec spec = asOpenedBy(opModel, deviceFor(*described, device));
  // A part of L1 that is set aside when the device is opened, so that plans have less of it.
  spec.l1SmallSize = Bytes(options.l1SmallSize);
  // Before the program is read, as the simulator knows TTNN's layouts only.
  mapMetalLayouts(module, spec);
  llvm::Expected<simulator::Program> program = readProgram(module, spec.mesh);
  if (!program) {
    printError(program.takeError());
    return nullptr;
  }
  file->content = std::move(*program);
  llvm::Expected<OpModelBackend> backend =
      OpModelBackend::create(opModel, {spec, file->layouts, spec.usableL1()});
  if (!backend) {
    inputError(llvm::toString(backend.takeError()));
    return nullptr;
  }
  file->backend.emplace(std::move(*backend));
  if (file->forwardFunctions().empty()) {
    inputError("'" + name + "' has no function that runs on the device");
    return nullptr;
  }
  // All functions before any runs: a comparison of several files should not end after minutes at an op that
  // cannot run.
  for (const simulator::Function *function : file->forwardFunctions())
    if (llvm::Error error = checkRunnable(file->content, *function, spec)) {
      printError(std::move(error));
      return nullptr;
    }
  return file;
}

std::vector<const simulator::Function *> SimulatedFile::forwardFunctions() const {
  std::vector<const simulator::Function *> functions;
  for (const simulator::Function &function : content.functions)
    if (function.isForward)
      functions.push_back(&function);
  return functions;
}

namespace {

/// An argument takes what its format in the file can hold, also where a run has it in a wider one.
void roundTo(DataType type, DenseTensor &values) {
  if (type == DataType::BFloat16 && values.desc.dtype != type)
    for (float &element : values.floats)
      element = fromBFloat16(toBFloat16(element));
}

/// "@main takes 3 inputs; 2 are given".
std::string anotherNumber(const simulator::Function &function, const SimulatorInputs &inputs) {
  return "@" + function.name + " takes " + std::to_string(function.arguments.size()) + " inputs; " +
         std::to_string(inputs.files.size()) + " are given";
}

/// What a file holds, on every device: they all get the same.
llvm::Expected<MeshTensor> readArgument(const std::string &path, const TensorDesc &desc, DataType held,
                                        size_t devices) {
  llvm::Expected<DenseTensor> tensor = simulator::readNpy(path, desc);
  if (!tensor)
    return tensor.takeError();
  // The simulator may hold bfloat16 as float32: the type is that of the run, and the values are those of the file.
  tensor->desc.dtype = held;
  roundTo(desc.dtype, *tensor);
  MeshTensor copies;
  // Reserved before, since the copies are made of the first element of the vector they go into.
  copies.reserve(devices);
  copies.push_back(std::move(*tensor));
  while (copies.size() < devices)
    copies.push_back(copies.front());
  return copies;
}

} // namespace

llvm::Expected<std::vector<DenseTensor>> SimulatedFile::arguments(const simulator::Function &function,
                                                                  const SimulatorInputs &inputs) const {
  // No file at all means that values are drawn.
  if (!inputs.files.empty() && inputs.files.size() != function.arguments.size())
    return llvm::createStringError(anotherNumber(function, inputs));
  std::vector<DenseTensor> tensors;
  for (auto [number, range] : llvm::enumerate(ranges(function))) {
    const TensorDesc &desc = function.values[function.arguments[number]].desc;
    llvm::Expected<DenseTensor> tensor = inputs.files.empty()
                                             ? randomArgument(function, number, range, inputs.seed)
                                             : simulator::readNpy(inputs.files[number], desc);
    if (!tensor)
      return tensor.takeError();
    roundTo(desc.dtype, *tensor);
    tensors.push_back(std::move(*tensor));
  }
  return tensors;
}

std::optional<simulator::RunResult> SimulatedFile::run(const simulator::Program &program,
                                                       const simulator::Function &function,
                                                       const SimulatorInputs &inputs,
                                                       const simulator::MachineOptions &options) const {
  // The program may be another one than this file's, as that without roundings: what inputs are is declared here.
  // The program may be another reading of this file, as one without roundings: the types that inputs have are
  // declared here.
  const simulator::Function &own = *llvm::find_if(
      content.functions, [&](const simulator::Function &each) { return each.name == function.name; });
  auto declared = [&](size_t number) -> const TensorDesc & { return own.values[own.arguments[number]].desc; };
  auto held = [&](size_t number) { return function.values[function.arguments[number]].desc.dtype; };
  if (!inputs.files.empty() && inputs.files.size() != own.arguments.size()) {
    inputError(anotherNumber(own, inputs));
    return std::nullopt;
  }
  for (auto [number, path] : llvm::enumerate(inputs.files)) // before anything runs
    if (llvm::Error error = simulator::checkNpy(path, declared(number))) {
      printError(std::move(error));
      return std::nullopt;
    }
  // One generator per argument, and the ranges of this file's own function: what is drawn must not depend on the
  // program.
  std::vector<simulator::RandomArgument> random;
  for (auto [number, range] : llvm::enumerate(inputs.ranges.empty() ? ranges(own) : inputs.ranges))
    random.emplace_back(own, number, range, inputs.seed);
  // Drawn by blocks, so that an argument larger than memory need never be there as a whole.
  auto draw = [&](size_t number, const simulator::ElementBlock &block, DenseTensor &values) {
    random[number].fill(block, values);
    roundTo(declared(number).dtype, values);
  };
  auto read = [&](size_t number) {
    return readArgument(inputs.files[number], declared(number), held(number), size_t(program.mesh.volume()));
  };
  llvm::Expected<simulator::RunResult> result = simulator::run(
      program, function,
      inputs.files.empty() ? simulator::ArgumentSource::inParts(draw) : simulator::ArgumentSource(read),
      model(), options);
  if (result)
    return std::move(*result);
  printError(result.takeError());
  return std::nullopt;
}

std::optional<simulator::RunResult> SimulatedFile::run(const simulator::Function &function,
                                                       const SimulatorInputs &inputs,
                                                       const simulator::MachineOptions &options) const {
  std::optional<simulator::RunResult> result = run(content, function, inputs, options);
  if (!result)
    return std::nullopt;
  const simulator::RunStatistics &statistics = result->statistics;
  // One line for all of them: a plan with one clash often has hundreds, all for one reason.
  if (size_t clashes = statistics.clashes.size())
    errorStream() << statistics.clashes.front()
                  << ": warning: circular buffers end above a tensor in L1; the "
                  << "device refuses such a launch (the first of " << clashes << " in @" << function.name
                  << ")\n";
  if (size_t refusals = statistics.refusals.size())
    errorStream() << statistics.refusals.front() << " (the first of " << refusals << " in @" << function.name
                  << ")\n";
  return result;
}

std::optional<simulator::RunResult>
SimulatedFile::runUnrounded(const simulator::Function &function, const SimulatorInputs &inputs,
                            const simulator::MachineOptions &options) const {
  simulator::Program program = simulator::unrounded(content);
  // What the op model says of tensors on the host means nothing, so nothing of it is told.
  // Functions stand in the same order in both programs, so the place of one is found by its number.
  return run(program, program.functions[size_t(&function - content.functions.data())], inputs, options);
}
