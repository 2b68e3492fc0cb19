//===- ModelCompareCommand.cpp - tessera model compare --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Two runs of one model may round differently and both be right, so that logits
// are compared by how near they are. How near is near enough is for the user to
// say; the defaults are options as well.
//
//===----------------------------------------------------------------------===//
#include "../Common/Session.h"

#include "tessera/Driver/Commands.h"
#include "tessera/ModelGraph/Logits.h"
#include "tessera/Simulator/Npy.h"

#include "llvm/Support/FormatVariadic.h"

using namespace tessera;

int tessera::compareModelRuns(const ModelCompareArguments &arguments) {
  llvm::Expected<Shape> shape = simulator::shapeOfNpy(arguments.before);
  if (!shape)
    return inputError(llvm::toString(shape.takeError()));
  if (shape->size() != 3 || simulator::volumeOf(*shape) == 0)
    return inputError("'" + arguments.before + "' does not hold logits: users x steps x vocabulary");
  std::vector<simulator::DenseTensor> runs;
  for (const std::string &path : {arguments.before, arguments.after}) {
    // Both with the shape of the first: a file of another shape is refused.
    llvm::Expected<simulator::DenseTensor> run = simulator::readNpy(path, {*shape, DataType::Float32});
    if (!run)
      return inputError(llvm::toString(run.takeError()));
    runs.push_back(std::move(*run));
  }
  auto floats = [](const simulator::DenseTensor &tensor) {
    return llvm::ArrayRef<float>(tensor.floats.data(), tensor.floats.size());
  };
  runner::LogitsComparison made =
      runner::compareLogits(floats(runs[0]), floats(runs[1]), (*shape)[0], (*shape)[1], (*shape)[2]);
  llvm::outs() << llvm::formatv("{0} of {1} rows compared, {2} with the same token\n", made.rows,
                                (*shape)[0] * (*shape)[1], made.sameToken)
               << llvm::formatv("correlation {0:F6} at least, top 5 {1:F3}, divergence {2:F6}\n",
                                made.leastCorrelation, made.top5, made.divergence);
  bool near = made.leastCorrelation >= arguments.minCorrelation && made.top5 >= arguments.minTop5 &&
              made.divergence <= arguments.maxDivergence;
  if (!near)
    return inputError(
        llvm::formatv("the runs are not as near as asked: correlation {0}, top 5 {1}, divergence {2}",
                      arguments.minCorrelation, arguments.minTop5, arguments.maxDivergence));
  return kSuccess;
}
