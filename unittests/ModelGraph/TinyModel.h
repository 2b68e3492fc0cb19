//===- TinyModel.h - A small model, its weights and its reference ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_UNITTESTS_MODELGRAPH_TINYMODEL_H
#define TESSERA_UNITTESTS_MODELGRAPH_TINYMODEL_H

#include "Reference.h"

#include "tessera/ModelGraph/Forward.h"
#include "tessera/ModelGraph/Generator.h"
#include "tessera/ModelRunner/Checkpoint.h"
#include "tessera/ModelRunner/RandomCheckpoint.h"
#include "tessera/ModelRunner/WeightConverter.h"

#include <gtest/gtest.h>
#include <random>

namespace tessera::runner {

/// A model with random weights, converted for a mesh; without a name that of facts/deepseek 4.1. One of each serves all tests.
class TinyModel {
public:
  static TinyModel &on(GridShape mesh, const std::string &name = "tiny");
  /// With weights of which every layer counts, the narrowest in bfp8.
  static TinyModel &even(GridShape mesh, uint64_t seed = 5);

  const WeightReader &weights() const { return *reader; }
  const Reference &reference() const { return *plain; }
  /// Elements of a tensor of the checkpoint in fp32.
  Row tensor(const std::string &name) const;
  const HfConfig &hf() const { return reader->hf(); }
  GridShape mesh() const { return reader->mesh(); }
  mlir::MLIRContext &context() { return *mlirContext; }
  const DeviceSpec &board() const { return device; }

  /// What a module makes of rows, which are a sequence if it attends: 1 x 1 x rows x H, whose rows are cut over the rows of the mesh and whose columns over its
  /// columns. The same way back.
  using Forward = llvm::function_ref<Tensor(Graph &, const Tensor &, const Config &)>;
  Rows run(Phase phase, const Rows &x, Forward forward);
  /// Where the rows of a decode stand. Each user has its own blocks of the cache; a prefill writes those of each device's first
  /// user.
  int64_t position = 0;
  Caches caches;

private:
  TinyModel(GridShape mesh, const std::string &name, const RandomCheckpointOptions &weights,
            std::vector<TypeOverride> types);

  std::string folder;
  DeviceSpec device;
  std::unique_ptr<mlir::MLIRContext> mlirContext;
  std::optional<Checkpoint> checkpoint;
  std::optional<WeightReader> reader;
  std::optional<Reference> plain;
};

/// Token ids that an input called "ids" has.
inline int64_t tokenAt(int64_t index, int64_t vocabulary) { return index * 37 % vocabulary; }

/// Normal numbers as bf16 holds them, the same for the same seed.
Rows randomRows(int64_t rows, int64_t columns, unsigned seed, double deviation = 1);

/// A model, and the mesh that it runs on.
struct Setup {
  const char *model;
  GridShape mesh;
};
/// The small model of facts/deepseek 4.1, and one whose sizes are no powers of two.
inline constexpr Setup kSetups[] = {{"tiny", {1, 1}}, {"tiny", {1, 2}},   {"tiny", {2, 2}},
                                    {"tiny", {2, 4}}, {"uneven", {1, 1}}, {"uneven", {2, 2}}};
inline std::string setupName(const testing::TestParamInfo<Setup> &setup) {
  GridShape mesh = setup.param.mesh;
  return setup.param.model + std::to_string(mesh.rows) + "x" + std::to_string(mesh.columns);
}

} // namespace tessera::runner

#endif // TESSERA_UNITTESTS_MODELGRAPH_TINYMODEL_H
