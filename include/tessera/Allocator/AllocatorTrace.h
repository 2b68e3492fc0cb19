//===- AllocatorTrace.h - What a device's allocator was asked and said ----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Recorded runs of the device's allocator and of its circular-buffer check: plain data, and the reader of the folder
// form that docs/memory.md describes (facts/allocator 2).
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_ALLOCATOR_ALLOCATORTRACE_H
#define TESSERA_ALLOCATOR_ALLOCATORTRACE_H

#include "tessera/Allocator/BankAllocator.h"
#include "tessera/Allocator/CircularBuffers.h"
#include "llvm/Support/Error.h"

#include <string>

namespace tessera {

/// What the allocator answered to one event. What an event does not tell is nullopt.
struct AllocatorAnswer {
  bool failed = false;
  std::optional<Bytes> address;                ///< of the block that was allocated or placed
  std::optional<Bytes> lowest;                 ///< lowest block after the event; nullopt: no block
  std::optional<Bytes> bankBytes;              ///< of what was allocated, in each bank
  std::optional<Bytes> reserved;               ///< size of the block
  std::optional<Bytes> freeBytes, largestHole; ///< when an allocation failed
  bool operator==(const AllocatorAnswer &) const = default;
};

/// One request. Which fields have a meaning depends on the kind; those of the others stay as they are initialized, and
/// are not compared. Sizes are bytes of each bank, before they are rounded to the region's alignment.
struct AllocatorEvent {
  /// Place: at an address that is told, as when a saved state is loaded. Shrink: the region's lower end goes up by
  /// `size`.
  enum class Kind : uint8_t { Allocate, Place, Free, FreeAll, Shrink, UndoShrink };

  Kind kind = Kind::Allocate;
  Direction direction = Direction::Up;
  uint32_t buffer = 0; ///< number within the trace: Allocate, Place, Free
  int64_t pages = 0,
          banks = 1; ///< Allocate: of the whole buffer; sharded, those of a full shard on each core
  Bytes page;        ///< Allocate: before alignment
  Bytes size;        ///< Place, Shrink
  /// What the device's allocator answered. Not read by what answers anew, but for the address of a Place.
  AllocatorAnswer recorded;
  size_t line = 0; ///< of the trace's file
};

/// The events of one region, from an empty one on.
struct AllocatorTrace {
  std::string name; ///< "17"
  std::string file; ///< path
  /// Absolute addresses of one bank, which stand for all (facts/allocator 6).
  AddressRange region;
  Bytes alignment;      ///< of blocks
  Bytes pageAlignment;  ///< of pages
  uint32_t buffers = 0; ///< that events name
  std::vector<AllocatorEvent> events;
};

/// One program's circular buffers, and where the device's runtime put them.
struct ProgramTrace {
  std::string name;
  std::string file; ///< path
  size_t line = 0;
  /// Where circular buffers begin, what they begin at multiples of, and the raw size of L1.
  Bytes base, alignment, l1End;
  /// Lowest address of any tensor in L1, on whichever core; nullopt: there is none.
  std::optional<Bytes> lowestTensor;
  /// In the order in which the program creates them, which decides where they lie.
  std::vector<BufferOnCores> buffers;

  std::vector<std::optional<Bytes>> addresses; ///< recorded; by buffer
  LaunchCheck check;                           ///< recorded
  Bytes end;                                   ///< recorded: the largest of all rectangles
};

/// What a folder holds. Traces and programs are independent of each other.
struct RecordedRuns {
  /// In the order of the index.
  std::vector<AllocatorTrace> traces;
  /// In the order of their table.
  std::vector<ProgramTrace> programs;
};

/// Reads the traces that `traces-index.csv` of the folder lists and the programs of `cb-programs.csv`; one of the two
/// may be missing. Columns are found by name, others are not looked at. Errors name file and line, and what would be
/// right.
llvm::Expected<RecordedRuns> readRecordedRuns(llvm::StringRef folder);

// ---- Its two halves ---------------------------------------------------------------------------------------

/// The traces of `traces-index.csv`, in its order. Errors as above, and if it is missing.
llvm::Expected<std::vector<AllocatorTrace>> readTraces(llvm::StringRef folder);
/// The programs of `cb-programs.csv` with their circular buffers of `cb-placement.csv`. Errors likewise.
llvm::Expected<std::vector<ProgramTrace>> readPrograms(llvm::StringRef folder);

} // namespace tessera

#endif // TESSERA_ALLOCATOR_ALLOCATORTRACE_H
