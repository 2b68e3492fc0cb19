//===- ProcessGroup.cpp - Processes that share the devices of a mesh ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Open MPI's binary interface: handles are addresses of objects that its library
// exports. Source: mpi.h of Open MPI 4.1, whose library is libmpi.so.40.
//
//===----------------------------------------------------------------------===//
#include "tessera/Simulator/ProcessGroup.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>

namespace tessera::simulator {

namespace {

struct OpenMpi {
  int (*init)(int *, char ***) = nullptr;
  int (*finalize)() = nullptr;
  int (*broadcast)(void *, int, void *, int, void *) = nullptr;
  void *bytes = nullptr, *world = nullptr; ///< MPI_BYTE, MPI_COMM_WORLD
};

llvm::Expected<OpenMpi> load() {
  // Its components look for its symbols among those that all see.
  void *library = dlopen("libmpi.so.40", RTLD_NOW | RTLD_GLOBAL);
  OpenMpi mpi;
  if (library) {
    mpi.init = reinterpret_cast<decltype(mpi.init)>(dlsym(library, "MPI_Init"));
    mpi.finalize = reinterpret_cast<decltype(mpi.finalize)>(dlsym(library, "MPI_Finalize"));
    mpi.broadcast = reinterpret_cast<decltype(mpi.broadcast)>(dlsym(library, "MPI_Bcast"));
    mpi.bytes = dlsym(library, "ompi_mpi_byte");
    mpi.world = dlsym(library, "ompi_mpi_comm_world");
  }
  if (!mpi.init || !mpi.finalize || !mpi.broadcast || !mpi.bytes || !mpi.world)
    return failure("several processes need Open MPI 4 (Debian: libopenmpi3): " +
                   llvm::Twine(library ? "libmpi.so.40 is another one" : dlerror()));
  return mpi;
}

class OpenMpiGroup : public ProcessGroup {
public:
  OpenMpiGroup(const OpenMpi &mpi, int rank, int count) : ProcessGroup(rank, count), mpi(mpi) {
    mpi.init(nullptr, nullptr);
  }
  ~OpenMpiGroup() override { mpi.finalize(); }

private:
  void broadcast(llvm::MutableArrayRef<uint8_t> bytes, int from) override {
    constexpr size_t kMost = size_t(1) << 30; // counts are ints
    for (; !bytes.empty(); bytes = bytes.drop_front(std::min(kMost, bytes.size())))
      mpi.broadcast(bytes.data(), int(std::min(kMost, bytes.size())), mpi.bytes, from, mpi.world);
  }

  OpenMpi mpi;
};

std::optional<int> numberIn(const char *variable) {
  const char *text = std::getenv(variable);
  int number = 0;
  return text && !llvm::StringRef(text).getAsInteger(10, number) ? std::optional(number) : std::nullopt;
}

template <class T>
llvm::MutableArrayRef<uint8_t> bytesOf(T &elements) {
  return {reinterpret_cast<uint8_t *>(elements.data()), elements.size() * sizeof(elements[0])};
}

} // namespace

llvm::Expected<std::unique_ptr<ProcessGroup>> ProcessGroup::join() {
  // By mpirun's own variables, so that a program that runs alone need not load MPI.
  std::optional<int> rank = numberIn("OMPI_COMM_WORLD_RANK"), count = numberIn("OMPI_COMM_WORLD_SIZE");
  if (!rank || !count || *count < 2)
    return nullptr;
  llvm::Expected<OpenMpi> mpi = load();
  if (!mpi)
    return mpi.takeError();
  return std::make_unique<OpenMpiGroup>(*mpi, *rank, *count);
}

llvm::Error ProcessGroup::agree(llvm::StringRef error) {
  // Process after process: all of them must take part in every broadcast, and the first error is the one that
  // all return.
  for (int process = 0; process < processes; ++process) {
    std::vector<uint64_t> length = {process == ownRank ? error.size() : 0};
    broadcast(bytesOf(length), process);
    if (length[0] == 0)
      continue;
    std::string told(length[0], ' ');
    if (process == ownRank)
      told = error.str();
    broadcast(bytesOf(told), process);
    return failure(told);
  }
  return llvm::Error::success();
}

void ProcessGroup::exchange(DenseTensor &tensor, size_t device) {
  // What comes needs room of the right size.
  if (!owns(device))
    tensor = DenseTensor::unset(tensor.desc);
  int owner = int(int64_t(device) % processes);
  broadcast(bytesOf(tensor.floats), owner);
  broadcast(bytesOf(tensor.integers), owner);
}

} // namespace tessera::simulator
