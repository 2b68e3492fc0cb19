//===- Generator.h - Tokens, one after the other --------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Stage 3 as a whole: weights are mapped once, prompts are prefilled one user at
// a time, and all users decode together, greedily.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_MODELGRAPH_GENERATOR_H
#define TESSERA_MODELGRAPH_GENERATOR_H

#include "tessera/ModelGraph/Execution.h"

#include <memory>

namespace tessera::runner {

struct GeneratorOptions {
  DeviceSpec board;          ///< a chip; its mesh is that of the weights
  std::string policy;        ///< of the optimizer; empty: programs run as they are traced
  bool asConfigured = false; ///< RunParts::asConfigured
  int64_t positions = 0; ///< of the longest sequence, prompt and new tokens; 0: as many as the model knows
  Bytes maxMemory{int64_t(8) << 30};
  Item prefillConfig{}, decodeConfig{}; ///< the user's model configs; None: those of the modules
  Item state{}; ///< the user's, whose caches say how many positions there are; None: the model's own
};

/// Where a user's cache lies: users fill the columns of a mesh row, row after row.
struct UserPlace {
  int64_t row = 0, column = 0;
  int64_t inRow = 0;    ///< among the 32 users of the mesh row
  int64_t onDevice = 0; ///< among the users of the device
};

class Generator {
public:
  /// Errors: what the folder lacks, positions that the model does not know.
  static llvm::Expected<Generator> make(mlir::MLIRContext &context, const GeneratorOptions &options,
                                        const WeightReader &weights);

  /// Users that the mesh has room for.
  int64_t users() const;
  UserPlace placeOf(int64_t user) const;

  /// Runs a prompt and returns the logits of its last token: the probabilities' logarithms but for a constant.
  llvm::Expected<std::vector<float>> prefill(int64_t user, llvm::ArrayRef<int64_t> prompt);
  /// Runs one token of each user that has a position (-1: none), and returns the logits of these.
  struct UserToken {
    int64_t token = 0, position = -1;
  };
  llvm::Expected<std::vector<std::vector<float>>> decode(llvm::ArrayRef<UserToken> tokens);

  const Target &target() const { return modelTarget; }
  const Caches &caches() const { return kept; }
  /// What it took so far to trace and to optimize programs: each is made in the first run that needs it.
  double secondsForPrograms() const { return programSeconds; }

private:
  Generator(mlir::MLIRContext &context, const GeneratorOptions &options, const WeightReader &weights)
      : context(&context), options(options), weights(&weights) {}
  /// The program of a phase: optimized with the policy, or as it is configured.
  llvm::Expected<TracedModel> programOf(const Target &target, Phase phase) const;
  /// The program of a phase for so many rows of a device, made when it is first asked for and then kept.
  llvm::Expected<const Executable *> executable(Phase phase, int64_t rows);
  /// A tensor for each device, filled in by its number, row by row of the mesh.
  simulator::MeshTensor
  perDevice(const TensorDesc &desc,
            llvm::function_ref<void(size_t device, simulator::DenseTensor &)> fill) const;
  /// Row `row` of what the devices of a mesh row hold, their columns side by side.
  std::vector<float> gathered(const simulator::MeshTensor &tensors, int64_t meshRow, int64_t row) const;

  mlir::MLIRContext *context;
  GeneratorOptions options;
  const WeightReader *weights;
  Target modelTarget;
  std::map<int64_t, Executable> prefills; ///< by rows of a device
  std::optional<Executable> decoder;
  double programSeconds = 0;
  Caches kept;
};

/// Index of the largest, the first of equal ones.
int64_t greedyToken(llvm::ArrayRef<float> logits);

/// Fills the tables of the rotary embedding, "cos", "sin" and "rotation"; false if the input is another.
bool fillRotaryInput(const HfConfig &hf, llvm::StringRef input, simulator::DenseTensor &tensor);

/// Cosines and sines of YaRN for a position, as a row for neighbours that turn together: c0 c0 c1 c1 ...
/// (facts/deepseek 4.2).
void rotaryRow(const HfConfig &hf, int64_t position, llvm::MutableArrayRef<float> cos,
               llvm::MutableArrayRef<float> sin);

} // namespace tessera::runner

#endif // TESSERA_MODELGRAPH_GENERATOR_H
