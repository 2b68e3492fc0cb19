//===- Replay.cpp - Recorded runs against our allocator -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Allocator/Replay.h"

#include "tessera/Layout/TensorLayout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tessera;

namespace {

// ---- Events ----------------------------------------------------------------------------------------------

/// The device's state in the middle of a trace.
class TraceReplay {
public:
  explicit TraceReplay(const AllocatorTrace &trace)
      : trace(trace), allocator(trace.region, trace.alignment), addresses(trace.buffers) {}

  // After each event, since it is the figure that circular buffers are checked against: a block in the wrong hole
  // shows here even where its own address is not recorded.
  AllocatorAnswer run(const AllocatorEvent &event) {
    AllocatorAnswer answer = change(event);
    answer.lowest = allocator.lowestBlock();
    return answer;
  }

private:
  static AllocatorAnswer outcomeOnly(bool done) {
    AllocatorAnswer answer;
    answer.failed = !done;
    return answer;
  }

  AllocatorAnswer change(const AllocatorEvent &event) {
    using enum AllocatorEvent::Kind;
    switch (event.kind) {
    case Allocate:
      return allocate(event);
    case Place:
      return place(event);
    case Shrink:
      return outcomeOnly(allocator.shrink(event.size));
    case UndoShrink:
      allocator.undoShrink();
      break;
    case FreeAll:
      allocator.freeAll();
      break;
    case Free: // of what could not be allocated, or is gone: nothing
      if (std::optional<Bytes> address = addresses[event.buffer])
        allocator.free(*address);
      break;
    }
    return {};
  }

  AllocatorAnswer allocate(const AllocatorEvent &event) {
    AllocatorAnswer answer;
    // Both roundings are ours, not the record's: the pages' first, then the block's. Either alone being wrong gives
    // another figure in its own column.
    answer.bankBytes = bankBytes(event.pages, event.page, event.banks, trace.pageAlignment);
    answer.reserved = allocator.reserved(*answer.bankBytes);
    answer.address = addresses[event.buffer] = allocator.allocate(*answer.bankBytes, event.direction);
    answer.failed = !answer.address;
    // Free bytes and largest hole tell fragmentation from a full bank; the record has them of failures only.
    if (answer.failed) {
      answer.freeBytes = allocator.freeBytes();
      answer.largestHole = allocator.largestHole();
    }
    return answer;
  }

  AllocatorAnswer place(const AllocatorEvent &event) {
    // The record does not tell where a block was to go that found no place: nothing is left to try then.
    bool placed = event.recorded.address && allocator.place(*event.recorded.address, event.size);
    AllocatorAnswer answer = outcomeOnly(placed);
    // The rounding does not depend on whether there is room, so it is compared of what failed, too.
    answer.reserved = allocator.reserved(event.size);
    if (placed)
      answer.address = addresses[event.buffer] = event.recorded.address;
    return answer;
  }

  const AllocatorTrace &trace;
  BankAllocator allocator;
  std::vector<std::optional<Bytes>> addresses; ///< by buffer
};

// ---- What differs ----------------------------------------------------------------------------------------

std::string text(std::optional<Bytes> bytes) { return bytes ? std::to_string(bytes->value()) : "nothing"; }

std::string outcome(const AllocatorAnswer &answer) {
  if (answer.failed)
    return "FAIL";
  return answer.address ? text(answer.address) : "OK";
}

Disagreement firstDifference(const AllocatorTrace &trace, const AllocatorEvent &event,
                             const AllocatorAnswer &replayed) {
  using enum AllocatorEvent::Kind;
  // In the order of the enumeration, which the assertion below holds to the count only.
  constexpr char kLetters[] = {'A', 'P', 'D', 'Z', 'K', 'R'};
  static_assert(size_t(UndoShrink) + 1 == std::size(kLetters));
  std::string where = llvm::formatv("{0}:{1}: trace {2}, event {3} ({4})", trace.file, event.line, trace.name,
                                    &event - trace.events.data() + 1, kLetters[size_t(event.kind)]);
  // The sizes come first: an address that differs because of them says less.
  using Answer = const AllocatorAnswer &;
  constexpr std::pair<const char *, std::string (*)(Answer)> kColumns[] = {
      {"bank_bytes", [](Answer answer) { return text(answer.bankBytes); }},
      {"reserved", [](Answer answer) { return text(answer.reserved); }},
      {"addr", outcome},
      {"lowest", [](Answer answer) { return text(answer.lowest); }},
      {"free", [](Answer answer) { return text(answer.freeBytes); }},
      {"largest", [](Answer answer) { return text(answer.largestHole); }}};
  const auto *column = llvm::find_if(
      kColumns, [&](auto each) { return each.second(event.recorded) != each.second(replayed); });
  assert(column != std::end(kColumns) && "every figure of an answer has its column");
  return {where, column->first, column->second(event.recorded), column->second(replayed)};
}

// ---- Programs --------------------------------------------------------------------------------------------

std::string text(LaunchVerdict verdict) {
  constexpr const char *kNames[] = {"OK", "CLASH", "BEYOND_L1"};
  return kNames[size_t(verdict)];
}

std::string text(const CoreRange &range) {
  return llvm::formatv("{0}-{1}:{2}-{3}", range.start.x, range.start.y, range.end.x, range.end.y);
}

/// "CLASH at 0-0:7-7, which ends at 181856".
std::string text(const LaunchCheck &check) {
  return check.at ? llvm::formatv("{0} at {1}, which ends at {2}", text(check.verdict), text(check.at->cores),
                                  check.at->end.value())
                  : text(check.verdict);
}

} // namespace

TraceAgreement tessera::replay(const AllocatorTrace &trace) {
  TraceAgreement agreement;
  TraceReplay device(trace);
  for (const AllocatorEvent &event : trace.events) {
    AllocatorAnswer replayed = device.run(event);
    if (replayed == event.recorded)
      ++agreement.events;
    // Only the first: after it the two allocators hold different blocks, and the rest follows from that.
    else if (!agreement.first)
      agreement.first = firstDifference(trace, event, replayed);
  }
  return agreement;
}

std::optional<Disagreement> tessera::replay(const ProgramTrace &program) {
  PlacedBuffers placed = placeCircularBuffers(program.buffers, program.base, program.alignment);
  std::string where = llvm::formatv("{0}:{1}: program {2}", program.file, program.line, program.name);
  for (size_t i = 0; i < program.buffers.size(); ++i)
    if (placed.addresses[i] != program.addresses[i])
      return Disagreement{where, llvm::formatv("addr of circular buffer {0}", i), text(program.addresses[i]),
                          text(placed.addresses[i])};
  LaunchCheck check = checkLaunch(placed, program.l1End, program.lowestTensor);
  // As texts: a verdict alone may agree while the rectangle that fails is another one.
  if (text(check) != text(program.check))
    return Disagreement{where, "verdict", text(program.check), text(check)};
  // A program without circular buffers ends where it begins, and says so.
  Bytes end = placed.end().value_or(program.base);
  if (end != program.end)
    return Disagreement{where, "max_end", text(program.end), text(end)};
  return std::nullopt;
}
