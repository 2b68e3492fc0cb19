//===- ModelRunCommand.cpp - tessera model run ----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// One module by itself, so that its result can be set beside that of another
// implementation. Inputs and results are those of the whole mesh; how they are
// spread over its devices is worked out here, as the module's layers have it.
//
//===----------------------------------------------------------------------===//
#include "ItemFile.h"
#include "ModuleOption.h"

#include "tessera/ModelGraph/Generator.h"
#include "tessera/ModelRunner/ConfigHelpers.h"
#include "tessera/Optimizer/Optimizer.h"
#include "tessera/Simulator/Npy.h"

#include "llvm/Support/Format.h"

#include <cmath>
#include <random>

using namespace tessera;
using simulator::DenseTensor;
using simulator::MeshTensor;

namespace {

/// Where the rows and columns of what all devices hold together lie.
struct Spread {
  GridShape mesh;
  bool rows, columns; ///< cut over the mesh's
};

/// Of all devices together.
TensorDesc wholeOf(TensorDesc desc, const Spread &spread) {
  if (spread.rows)
    desc.shape[desc.shape.size() - 2] *= spread.mesh.rows;
  if (spread.columns)
    desc.shape.back() *= spread.mesh.columns;
  return desc;
}

/// Calls `visit(index on the device, index in the whole)` for the elements of a device.
template <class Visit>
void forEachElement(const TensorDesc &desc, const Spread &spread, int64_t device, Visit visit) {
  int64_t width = desc.shape.back(), height = desc.shape.size() > 1 ? desc.shape[desc.shape.size() - 2] : 1;
  int64_t row = spread.rows ? device / spread.mesh.columns : 0,
          column = spread.columns ? device % spread.mesh.columns : 0;
  int64_t rows = height * (spread.rows ? spread.mesh.rows : 1),
          columns = width * (spread.columns ? spread.mesh.columns : 1);
  for (int64_t i = 0, end = simulator::volumeOf(desc.shape); i != end; ++i) {
    int64_t matrix = i / (width * height), y = i / width % height, x = i % width;
    visit(i, (matrix * rows + row * height + y) * columns + column * width + x);
  }
}

/// Standard normal numbers, or tokens; nullopt after a diagnostic.
std::optional<DenseTensor> inputValues(const std::string &text, const TensorDesc &desc, int64_t vocabulary) {
  llvm::StringRef seedText = text;
  uint64_t seed = 0;
  if (!seedText.consume_front("random:")) {
    llvm::Expected<DenseTensor> file = simulator::readNpy(text, desc);
    if (file)
      return std::move(*file);
    inputError(llvm::toString(file.takeError()));
    return std::nullopt;
  }
  if (seedText.getAsInteger(10, seed)) {
    usageError("--input takes random:SEED or an .npy file, not '" + text + "'");
    return std::nullopt;
  }
  // The standard fixes what this generator gives, and not what its distributions make of it.
  std::mt19937_64 generator(seed);
  DenseTensor tensor(desc);
  for (int64_t i = 0; i != tensor.volume(); ++i) {
    double sum = -6; // of twelve uniform numbers: nearly normal, and the same everywhere
    for (int k = 0; k != 12; ++k)
      // 53 bits, which a double holds exactly.
      sum += double(generator() >> 11) * 0x1p-53;
    tensor.set(i, tensor.isInteger() ? double(generator() % uint64_t(vocabulary)) : sum);
  }
  return tensor;
}

/// Hidden states or token ids; all others are tables and positions.
bool isFromOutside(const runner::GraphArgument &argument) {
  return argument.name == "x" || argument.name == "ids";
}

/// Inputs of attention beside x: users stand at one position, each with blocks of its own.
void fillOther(const runner::HfConfig &hf, const runner::GraphArgument &argument, int64_t position,
               DenseTensor &tensor) {
  if (runner::fillRotaryInput(hf, argument.name, tensor))
    return;
  for (int64_t i = 0; i != tensor.volume(); ++i)
    tensor.set(i, double(argument.name == "page_table" ? i : position));
}

/// The same of an argument that is no input from outside, on each of so many devices.
MeshTensor filledOther(const runner::HfConfig &hf, const runner::GraphArgument &argument, int64_t position,
                       int64_t devices) {
  MeshTensor tensors;
  for (int64_t device = 0; device != devices; ++device)
    fillOther(hf, argument, position, tensors.emplace_back(argument.desc));
  return tensors;
}

/// What of the whole tensor each device gets.
MeshTensor partsOf(const DenseTensor &whole, const runner::GraphArgument &argument, const Spread &spread) {
  MeshTensor tensors;
  for (int64_t device = 0; device != spread.mesh.volume(); ++device) {
    DenseTensor &tensor = tensors.emplace_back(argument.desc);
    forEachElement(argument.desc, spread, device,
                   [&](int64_t i, int64_t at) { tensor.set(i, whole.at(at)); });
  }
  return tensors;
}

/// The reverse.
DenseTensor wholeFrom(const MeshTensor &parts, const Spread &spread) {
  DenseTensor whole(wholeOf(parts.front().desc, spread));
  for (int64_t device = 0; device != spread.mesh.volume(); ++device)
    forEachElement(parts.front().desc, spread, device,
                   [&](int64_t i, int64_t at) { whole.set(at, parts[size_t(device)].at(i)); });
  return whole;
}

/// One figure tells whether what was computed can be right: a layer that is wired wrongly overflows or vanishes.
void printResult(const std::string &module, const DenseTensor &y) {
  double squares = 0;
  for (int64_t i = 0; i != y.volume(); ++i)
    squares += y.at(i) * y.at(i);
  llvm::outs() << module << ": " << simulator::describe(y.desc) << ", root mean square "
               << llvm::format("%.4f", std::sqrt(squares / double(y.volume()))) << "\n";
}

/// The program to run: optimized, as configured if the op model allows it, or with places left to chance.
llvm::Expected<runner::TracedModel> programOf(const ModelRunArguments &arguments, runner::Tracer trace,
                                              const DeviceSpec &board) {
  if (arguments.optimize) {
    llvm::Expected<runner::OptimizedTrace> optimized = runner::optimizedTrace(trace, board, arguments.policy);
    if (!optimized)
      return optimized.takeError();
    return std::move(optimized->model);
  }
  llvm::Expected<runner::TracedModel> traced = trace(arguments.asConfigured);
  if (traced && arguments.asConfigured)
    if (llvm::Error refused = runner::checkConfigured(*traced->module, board))
      return std::move(refused);
  return traced;
}

} // namespace

int tessera::runModelModule(const ModelRunArguments &arguments) {
  const runner::model::Mode *mode = chosenMode(arguments.mode);
  if (!mode)
    return kUsageError;
  std::optional<uint64_t> memory = readSizeOrDiagnose("--max-mem", arguments.memory);
  if (!memory)
    return kUsageError;
  // Usage before files: a wrong command line is told even if the folder of weights is missing.
  if (arguments.module.name.empty())
    return usageError("--module is required; 'tessera generate' runs whole models");
  llvm::Expected<runner::WeightReader> weights = runner::WeightReader::open(arguments.weights);
  if (!weights)
    return inputError(llvm::toString(weights.takeError()));
  std::optional<std::optional<runner::ModulePlace>> module = chosenModule(arguments.module, weights->hf());
  if (!module)
    return kUsageError;
  std::optional<runner::Item> config = readItem(arguments.config), state = readItem(arguments.state);
  if (!config || !state)
    return kInputError;
  // The weights were cut for a mesh, so it is theirs and not the caller's to choose.
  GridShape mesh = weights->mesh();
  DeviceSpec board = runner::boardFor(mesh);
  runner::Target target{weights->hf(),   mesh,          board.workerGrid,
                        board.dramBanks, runner::kTile, arguments.positions};
  std::unique_ptr<mlir::MLIRContext> context = makeContext();
  auto trace = [&](bool asConfigured) {
    return runner::traceModule(*context, target, runner::phaseOf(*mode), board, **module,
                               {*config, weights->weightConfig(), *state, &*weights, asConfigured});
  };
  llvm::Expected<runner::TracedModel> traced = programOf(arguments, trace, board);
  if (!traced)
    return inputError(llvm::toString(traced.takeError()));
  // Asked of the module and not read from shapes, from which a cut tensor cannot be told from a narrow one.
  runner::CutOver cut = runner::columnsOf(*(*module)->module);
  // A module by itself has one input that comes from outside.
  const runner::GraphArgument &own = *llvm::find_if(traced->arguments, isFromOutside);
  // Users are spread over the mesh's rows, hidden states over its columns where the module takes them cut.
  Spread in{mesh, own.name == "x", cut.input};
  std::optional<DenseTensor> x =
      inputValues(arguments.input, wholeOf(own.desc, in), weights->hf().vocab_size);
  if (!x)
    return kInputError;
  llvm::Expected<runner::Executable> program = runner::Executable::make(std::move(*traced), board);
  if (!program)
    return inputError(llvm::toString(program.takeError()));
  auto inputs = [&](const runner::GraphArgument &argument) {
    return isFromOutside(argument) ? partsOf(*x, argument, in)
                                   : filledOther(weights->hf(), argument, arguments.position, mesh.volume());
  };
  // Empty: what is looked at is one call, and not what others left behind.
  runner::Caches caches;
  llvm::Expected<MeshTensor> made = program->run(*weights, caches, inputs, Bytes(int64_t(*memory)));
  if (!made)
    return inputError(llvm::toString(made.takeError()));
  DenseTensor y = wholeFrom(*made, {mesh, true, cut.output});
  printResult(arguments.module.name, y);
  auto write = [&](llvm::raw_ostream &os) { simulator::writeNpy(y, os); };
  return arguments.output.empty() || writeFiles({{arguments.output, write}}) ? kSuccess : kInputError;
}
