//===- Graph.h - Forward functions write TTNN ops -------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A graph is a module with one function, as tt-mlir would hand it to its
// optimizer: every tensor tiled and DRAM interleaved, ops of the public dialect.
// Forward functions call the ops of Ops.h, which add to it. Shapes are those of
// one device; all devices of the mesh run the same function.
//
//   Graph g(context, target, weights, device);
//   Tensor x = g.input("x", {{1, 1, 32, 256}, DataType::BFloat16});
//   Tensor y = mlp::forwardDecode(g, x, config["mlp"]);
//   mlir::OwningOpRef<mlir::ModuleOp> module = g.finish({y});
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_MODELGRAPH_GRAPH_H
#define TESSERA_MODELGRAPH_GRAPH_H

#include "tessera/ModelRunner/Modules.h"
#include "tessera/ModelRunner/WeightPlan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <map>

namespace tessera::runner {

/// A tensor of a graph, as each device has it.
struct Tensor {
  mlir::Value value;
  TensorDesc desc;

  const Shape &shape() const { return desc.shape; }
  int64_t extent(int64_t dim) const { return desc.shape[size_t(dim)]; }
  DataType type() const { return desc.dtype; }
};

/// A place in a run config: what lies there, and how it is called.
class Config {
public:
  Config(Item item, std::string path = "") : item(std::move(item)), path(std::move(path)) {}

  /// What lies at a key or an index; None, under its own name, if nothing does.
  Config operator[](llvm::StringRef key) const;
  Config operator[](size_t index) const;
  bool has(llvm::StringRef key) const;
  const std::string &name() const { return path; } ///< "mlp_decoder_block[0].mlp.w1"
  /// What lies there, which must be a T.
  template <class T>
  T as() const {
    std::optional<T> value = fromItem<T>(item);
    assert(value && "the config is one of this model");
    return std::move(*value);
  }

  /// nullopt if it is something else, or nothing.
  template <class T>
  std::optional<T> find() const {
    return fromItem<T>(item);
  }

private:
  Item item;
  std::string path;
};

/// An argument of the function, and what it is to be called with.
struct GraphArgument {
  enum class Kind : uint8_t {
    Input,  ///< of that name, given for each run
    Weight, ///< of that file
    Cache,  ///< of that place in the run config: written in place, kept from run to run
  };
  Kind kind = Kind::Input;
  std::string name;
  TensorDesc desc;
};

/// What a file holds for each device.
struct WeightFile {
  TensorDesc desc;
  PageLayout layout = PageLayout::Tile;
};
using WeightFiles = std::map<std::string, WeightFile>; ///< by path

class Graph {
public:
  /// `weights` has all files that the run config names; `device` is a chip of the mesh.
  /// `asConfigured`: results lie where configs say; else in DRAM, whatever they say.
  Graph(mlir::MLIRContext &context, const Target &target, WeightFiles weights, const DeviceSpec &device,
        bool asConfigured = false);
  ~Graph();

  const Target &target() const { return modelTarget; }
  /// Devices along an axis of the mesh: 0 those of a column, 1 those of a row.
  int64_t devicesAlong(int64_t axis) const {
    return axis == 0 ? modelTarget.mesh.rows : modelTarget.mesh.columns;
  }

  // Arguments; each is made once.
  /// Given for each run, under that name.
  Tensor input(llvm::StringRef name, TensorDesc desc, PageLayout page = PageLayout::Tile);
  /// A weight of an op config's field.
  Tensor weight(const WeightItem &weight);
  /// A paged cache, named by its place in the run config; its shape is that of its KvCacheConfig.
  Tensor cache(const Config &cache);

  /// Ops that follow are called so in diagnostics and reports: the place of their config.
  void name(llvm::StringRef place) { location = place.str(); }

  using Attributes = llvm::ArrayRef<mlir::NamedAttribute>;
  /// Adds an op, e.g. "ttnn.silu", whose operands are these tensors and whose results are new ones in DRAM.
  llvm::SmallVector<Tensor> add(llvm::StringRef op, llvm::ArrayRef<Tensor> operands,
                                llvm::ArrayRef<TensorDesc> results, Attributes attributes = {},
                                PageLayout page = PageLayout::Tile);
  /// The same with one result in a layout of its own.
  Tensor add(llvm::StringRef op, llvm::ArrayRef<Tensor> operands, const TensorDesc &result,
             const TensorLayout &layout, Attributes attributes);
  /// Whether configs decide where tensors lie and how ops run.
  bool isAsConfigured() const { return asConfigured; }
  /// An op's result where its memory config puts it; `cores` are those that its program config shards it over, if any.
  Tensor placed(Tensor made, const std::optional<MemoryConfig> &memory, int64_t cores = 0);
  /// Brings a tensor to where a memory config says, if it is not there.
  Tensor moved(const Tensor &x, const std::optional<MemoryConfig> &memory);
  /// A tensor of equal elements.
  Tensor full(TensorDesc desc, double value);

  /// The mesh, as an operand.
  Tensor device() const { return {meshDevice, {}}; }
  mlir::OpBuilder &build() { return builder; }

  /// Ends the function with these results. Nothing may be added any more. An error if a tensor is larger than layouts
  /// can be.
  llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> finish(llvm::ArrayRef<Tensor> results);
  /// In the order of the function's arguments.
  llvm::ArrayRef<GraphArgument> arguments() const { return made; }

private:
  /// The argument of that name, made if there is none yet.
  Tensor argument(GraphArgument argument, PageLayout page);
  /// In DRAM.
  mlir::RankedTensorType typeOf(const TensorDesc &desc, PageLayout page);
  mlir::RankedTensorType typeOf(const TensorDesc &desc, const TensorLayout &layout);
  /// The location of what is added next: name().
  mlir::Location here();
  /// nullopt if it is no tensor with a layout that plain data has.
  std::optional<TensorLayout> layoutOf(mlir::Value value) const;
  /// Ops that have no config of their own take interleaved tensors.
  Tensor interleaved(const Tensor &x);
  /// Reports what a config asks for and cannot be.
  void refuse(llvm::Error error);

  Target modelTarget;
  WeightFiles files;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
  mlir::Value meshDevice;
  mlir::OpBuilder builder;
  std::string location = "model";
  std::string tooLarge; ///< the first such tensor
  DeviceSpec chip;
  bool asConfigured;
  std::vector<std::string> refused; ///< places of configs, and why
  std::vector<GraphArgument> made;
};

} // namespace tessera::runner

#endif // TESSERA_MODELGRAPH_GRAPH_H
