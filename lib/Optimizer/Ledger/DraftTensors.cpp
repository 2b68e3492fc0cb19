//===- DraftTensors.cpp - The tensors of a draft and their lifetimes ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Tensors of one value that live across ops, from behind the position that makes them to their last reader:
//
//   original           made by the producer, whoever reads it
//   interleaved copy   made behind the producer, if somebody reads it
//   home               likewise; to the end if the value is returned
//   shared reshard     one for each layout: made by the first reader that asks for it
//
// Two that would lie in one layout are one tensor (canonical). Of arguments only shared reshards have such a life: they
// are there throughout themselves.
//
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Ledger/Draft.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace tessera;

static constexpr Source kSources[] = {Source::Home, Source::Original, Source::Interleaved};

LayoutId Draft::made(ValueId id) const {
  const Value &value = problem[id];
  return value.producer.valid() ? oracle[configs[value.producer.index()]].outputs[value.resultIndex]
                                : value.declared;
}

/// The tensor that is really read: where two have the same layout, there is only one.
Source Draft::canonical(ValueId value, Source source) const {
  if (!problem[value].producer.valid())
    return Source::Home;
  if (source == Source::Home)
    return made(value) == home(value) ? Source::Original : Source::Home;
  LayoutId copy = copies[value.index()];
  return source == Source::Interleaved && copy.valid() && copy != made(value) ? Source::Interleaved
                                                                              : Source::Original;
}

LayoutId Draft::layoutOf(ValueId value, Source source) const {
  if (source == Source::Home)
    return home(value);
  return source == Source::Original ? made(value) : copies[value.index()];
}

bool Draft::dies(ValueId value, Source source, SchedulePos position) const {
  const Tensor &tensor = tensors[value.index()][size_t(source)];
  return tensor.exists && tensor.last == position;
}

bool Draft::dies(const Operand &operand, SchedulePos position) const {
  if (!operand.shared || operand.target.valid())
    return dies(operand.value, operand.source, position);
  const SharedReshard *reshard = sharedReshard(operand.value, operand.from);
  return reshard && reshard->tensor.last == position;
}

/// Whether the reshard that is made for the operand is read beyond the position.
bool Draft::outlives(const Operand &operand, SchedulePos position) const {
  const SharedReshard *reshard = operand.shared ? sharedReshard(operand.value, operand.target) : nullptr;
  return reshard && reshard->tensor.last > position;
}

const Draft::SharedReshard *Draft::sharedReshard(ValueId value, LayoutId layout) const {
  auto found = llvm::find_if(reshards[value.index()],
                             [&](const SharedReshard &reshard) { return reshard.layout == layout; });
  return found == reshards[value.index()].end() || !found->tensor.exists ? nullptr : &*found;
}

bool Draft::ReshardReaders::empty() const {
  return llvm::all_of(bySource, [](const auto &positions) { return positions.empty(); });
}

std::pair<SchedulePos, Source> Draft::ReshardReaders::first() const {
  std::optional<std::pair<SchedulePos, Source>> first;
  for (Source source : kSources)
    if (const auto &positions = bySource[size_t(source)]; !positions.empty())
      first = std::min(first.value_or(std::pair(*positions.begin(), source)),
                       std::pair(*positions.begin(), source));
  return *first;
}

SchedulePos Draft::ReshardReaders::last() const {
  SchedulePos last;
  for (const auto &positions : bySource)
    if (!positions.empty())
      last = std::max(last, *positions.rbegin());
  return last;
}

/// Notes that an operand reads the value, or no longer does.
void Draft::countRead(ValueId value, Read read, SchedulePos position, bool add) {
  // A multiset, as an op may read a value by two operands and stop reading it by one of them.
  auto update = [&](auto &set, auto entry) {
    add ? (void)set.insert(entry) : (void)set.erase(set.find(entry));
  };
  if (!read.shared || !read.reshard.valid()) {
    // Of an argument shared reshards alone have a lifetime.
    if (problem[value].producer.valid())
      update(readers[value.index()][size_t(read.source)], position);
    return;
  }
  llvm::SmallVector<SharedReshard, 0> &list = reshards[value.index()];
  auto found = llvm::find_if(list, [&](const SharedReshard &known) { return known.layout == read.reshard; });
  if (found == list.end()) {
    list.emplace_back().layout = read.reshard;
    found = std::prev(list.end());
  }
  update(found->readers.bySource[size_t(read.source)], position);
}

std::array<Draft::Tensor, 3> Draft::tensorsOf(ValueId id) const {
  const Value &value = problem[id];
  SchedulePos born = position(value.producer);
  std::array<Tensor, 3> tensors;
  // The original is made in any case; the others only if somebody reads them.
  tensors[size_t(Source::Original)].exists = true;
  for (Tensor &tensor : tensors)
    tensor.last = born;
  auto readUntil = [&](Source source, SchedulePos position) {
    Tensor &tensor = tensors[size_t(canonical(id, source))];
    tensor.exists = true;
    tensor.last = std::max(tensor.last, position);
  };
  auto readAll = [&](const std::array<std::multiset<SchedulePos>, 3> &bySource) {
    for (Source source : kSources)
      if (const auto &positions = bySource[size_t(source)]; !positions.empty())
        readUntil(source, *positions.rbegin());
  };
  readAll(readers[id.index()]);
  for (const SharedReshard &reshard : reshards[id.index()]) {
    if (reshard.readers.empty())
      continue;
    if (reshard.tensor.exists) { // the others read what the first makes
      auto [position, source] = reshard.readers.first();
      readUntil(source, position);
      continue;
    }
    // The first reader's source has the layout already, so nothing is made, and each reads the source that it named
    // itself.
    readAll(reshard.readers.bySource);
  }
  // Returned at home (its conversion to the declared layout stands at the end), so that copy lives to the end.
  if (value.returned)
    readUntil(Source::Home, end());
  for (Source source : kSources)
    // From one past the producer, whose own position counts its results step by step (GroupCost).
    if (Tensor &tensor = tensors[size_t(source)]; tensor.exists)
      tensor.reservation = {{born + 1, std::min(tensor.last + 1, end())},
                            oracle.l1Bytes(layoutOf(id, source)),
                            layoutOf(id, source) == value.declared};
  return tensors;
}

Draft::Tensor Draft::tensorOf(ValueId value, const SharedReshard &reshard) const {
  Tensor tensor;
  if (reshard.readers.empty())
    return tensor;
  auto [maker, source] = reshard.readers.first();
  // If the source has that layout already, nothing is made, and readers take the source itself.
  tensor.exists = layoutOf(value, canonical(value, source)) != reshard.layout;
  if (!tensor.exists)
    return tensor;
  tensor.last = reshard.readers.last();
  tensor.reservation = {{maker + 1, std::min(tensor.last + 1, end())},
                        oracle.l1Bytes(reshard.layout),
                        reshard.layout == problem[value].declared};
  return tensor;
}

/// The first reader makes a shared reshard. If another does so now, or the last one is another, these notice, and all
/// readers if it comes or goes.
void Draft::refreshReshards(ValueId id) {
  llvm::SmallVector<SharedReshard, 0> &list = reshards[id.index()];
  for (SharedReshard &reshard : list) {
    Tensor now = tensorOf(id, reshard);
    SchedulePos maker = reshard.readers.empty() ? reshard.maker : reshard.readers.first().first;
    if (reshard.tensor == now && reshard.maker == maker)
      continue;
    // All readers of a reshard that comes or goes read another tensor from now on; else only who makes it and who frees
    // it is concerned.
    if (reshard.tensor.exists != now.exists)
      markReaders(reshard.readers);
    for (SchedulePos position : {reshard.maker, maker})
      markDirty(order[position.index()]);
    replace(reshard.tensor, now);
    reshard.maker = maker;
  }
  // What nobody reads is forgotten: each walk over the value's reshards is as long as the list.
  llvm::erase_if(list, [](const SharedReshard &reshard) { return reshard.readers.empty(); });
}

llvm::SmallVector<Draft::Held, 4> Draft::heldTensors(ValueId value) const {
  llvm::SmallVector<Held, 4> held;
  auto add = [&](Source source, LayoutId reshard, const L1Reservation &reservation) {
    if (!reservation.positions.empty() && reservation.size > Bytes(0))
      held.push_back({source, reshard, reservation});
  };
  for (Source source : kSources)
    add(source, LayoutId(), tensors[value.index()][size_t(source)].reservation);
  for (const SharedReshard &reshard : reshards[value.index()])
    add(Source::Original, reshard.layout, reshard.tensor.reservation);
  return held;
}

/// Brings the value's tensors up to date. Its maker makes the copies; besides, who frees a tensor notices.
void Draft::refresh(ValueId id) {
  refreshReshards(id);
  if (!problem[id].producer.valid())
    return; // arguments are held throughout
  std::array<Tensor, 3> now = tensorsOf(id);
  for (Source source : kSources) {
    Tensor &known = tensors[id.index()][size_t(source)];
    if (known == now[size_t(source)])
      continue;
    markDirty(problem[id].producer);
    replace(known, now[size_t(source)]);
  }
}

/// Who frees the tensor, and who did before, notices.
void Draft::replace(Tensor &known, const Tensor &now) {
  markLastReader(known);
  reserve(known.reservation, false);
  known = now;
  reserve(known.reservation, true);
  markLastReader(known);
}

void Draft::reserve(const L1Reservation &reservation, bool add) {
  if (reservation.positions.empty() || reservation.size == Bytes(0))
    return;
  add ? timeline.add(reservation) : timeline.remove(reservation);
  // Only longer lives can make a position exceed L1, so removals need no check.
  if (add && recording)
    touchedPositions.push_back(reservation.positions);
}
