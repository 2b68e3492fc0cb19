//===- ProcessGroup.h - Processes that share the devices of a mesh --------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// `mpirun -n N tessera run mesh.mlir` (Open MPI) starts the same run N times.
// Device d belongs to process d mod N, which alone has its memory and computes
// its ops. Where devices exchange tensors, so do processes; results go to all.
// The bytes are those of one process.
//
// Open MPI's library is loaded when a process is not alone, as oneDNN is: tools
// are built without it.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_SIMULATOR_PROCESSGROUP_H
#define TESSERA_SIMULATOR_PROCESSGROUP_H

#include "tessera/Simulator/DenseTensor.h"

#include <memory>

namespace tessera::simulator {

class ProcessGroup {
public:
  /// nullptr if mpirun did not start this process, or started it alone. Error if Open MPI is not there.
  static llvm::Expected<std::unique_ptr<ProcessGroup>> join();
  virtual ~ProcessGroup() = default;

  int rank() const { return ownRank; }
  bool owns(size_t device) const { return int64_t(device) % processes == ownRank; }
  /// Most devices of that many that a process has.
  int64_t share(int64_t devices) const { return ceilDiv(devices, processes); }

  /// All processes call it at the same point of a run, before they exchange anything; one that cannot go on calls it once
  /// with its `error`. All get the error of the first process that has one.
  llvm::Error agree(llvm::StringRef error);
  /// The owner's elements go to all processes; the others' tensors have a type only.
  void exchange(DenseTensor &tensor, size_t device);

protected:
  ProcessGroup(int rank, int count) : ownRank(rank), processes(count) {}
  /// What `from` has there is then in all processes.
  virtual void broadcast(llvm::MutableArrayRef<uint8_t> bytes, int from) = 0;

private:
  int ownRank, processes;
};

} // namespace tessera::simulator

#endif // TESSERA_SIMULATOR_PROCESSGROUP_H
