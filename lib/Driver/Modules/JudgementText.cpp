//===- JudgementText.cpp - A judgement for people and programs ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A table by kind of op, then what is amiss, then one sentence. The table has
// blanks for zeros, so that of fifteen columns the few that matter are seen;
// complaints that hold for many ops alike are one line.
//
//===----------------------------------------------------------------------===//
#include "Judgement.h"

#include "tessera/OpModel/OpModel.h"
#include "tessera/OpModel/OpModelOptions.h"
#include "tessera/Support/Format.h"
#include "tessera/Support/TextTable.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using namespace tessera;
namespace json = llvm::json;

namespace {

/// How the ops of one kind fared.
struct Counts {
  size_t ops = 0, decided = 0, accepted = 0, refused = 0, uncovered = 0, different = 0, crashed = 0;
  size_t buffers[5] = {}; ///< by BufferAgreement
  size_t otherTemporaries = 0;
  Bytes temporaries, dramTemporaries; ///< of the op that makes most

  void add(const JudgedOp &op) {
    ++ops;
    decided += op.decided;
    accepted += op.verdict == Verdict::Accepted;
    refused += op.verdict == Verdict::Refused;
    uncovered += op.verdict == Verdict::Uncovered;
    crashed += op.verdict == Verdict::Crashed;
    // Apart from the verdict: an op may be accepted and yet make a result that the plan does not expect.
    different += !op.different.empty();
    // A refused call was captured in part at best: its figures would count as ours being wrong.
    if (op.verdict != Verdict::Accepted)
      return;
    ++buffers[unsigned(op.buffers)];
    otherTemporaries +=
        op.temporaries == BufferAgreement::TooSmall || op.temporaries == BufferAgreement::TooLarge;
    // Not a sum: ops run one after the other, and each frees what it made.
    temporaries = std::max(temporaries, op.theirTemporaries);
    dramTemporaries = std::max(dramTemporaries, op.dramTemporaries);
  }
  /// Of how many ops circular buffers agree like this.
  size_t of(BufferAgreement agreement) const { return buffers[unsigned(agreement)]; }
};

using CountsByOp = llvm::MapVector<llvm::StringRef, Counts>;

/// By kind of op in the order of the first of each, and all together.
std::pair<CountsByOp, Counts> count(const Judgement &judgement) {
  CountsByOp byOp;
  Counts all;
  for (const JudgedFunction &function : judgement.functions)
    for (const JudgedOp &op : function.ops) {
      byOp[op.op->op().name].add(op);
      all.add(op);
    }
  return {std::move(byOp), all};
}

/// Nothing for a zero, so that the eye finds what is there.
std::string orBlank(Bytes bytes) { return bytes > Bytes(0) ? formatBytes(bytes) : ""; }
std::string orBlank(size_t number) { return number ? std::to_string(number) : ""; }

/// One row of the table; the columns are those of printTable(), in its order.
void addRow(TextTable &table, llvm::StringRef name, const Counts &c) {
  using enum BufferAgreement;
  // Of ops and accepted ones a zero is printed: that none was accepted is news.
  table.add({name.str(), std::to_string(c.ops), orBlank(c.decided), std::to_string(c.accepted),
             orBlank(c.refused + c.crashed), orBlank(c.uncovered), orBlank(c.different), orBlank(c.of(Equal)),
             orBlank(c.of(TooSmall)), orBlank(c.of(TooLarge)), orBlank(c.of(Unknown)),
             orBlank(c.of(NotRecorded)), orBlank(c.temporaries), orBlank(c.otherTemporaries),
             orBlank(c.dramTemporaries)});
}

/// The table by kind of op, with all of them together in the last row.
void printTable(llvm::raw_ostream &os, const CountsByOp &byOp, const Counts &all) {
  TextTable table({{"op"},
                   {"ops", Align::Right},
                   {"decided", Align::Right},
                   {"accepted", Align::Right},
                   {"refused", Align::Right},
                   {"not asked", Align::Right},
                   {"result differs", Align::Right},
                   {"buffers equal", Align::Right},
                   {"too small", Align::Right},
                   {"too large", Align::Right},
                   {"unknown", Align::Right},
                   {"not recorded", Align::Right},
                   {"L1 temporaries", Align::Right},
                   {"not ours", Align::Right},
                   {"DRAM temporaries", Align::Right}});
  for (const auto &[name, counts] : byOp)
    addRow(table, name, counts);
  addRow(table, "all", all);
  table.print(os);
}

/// "page, cores": what of a result is not as the module states it.
std::string joinedNames(const std::vector<std::string> &names) { return llvm::join(names, ", "); }

/// What is amiss, a line for each message: what holds for one op of a plan often holds for fifty.
class Complaints {
public:
  /// The op is kept of the first only; of others with the same message a number will do.
  void add(const llvm::Twine &kind, const std::string &op, llvm::StringRef message) {
    auto [entry, isNew] = lines.try_emplace({kind.str(), message.str()}, op, 0);
    entry->second.second += !isNew;
  }
  void print(llvm::raw_ostream &os) const {
    for (const auto &[what, where] : lines) {
      os << what.first << ": " << where.first << ": " << what.second;
      if (where.second)
        os << " (and " << where.second << (where.second == 1 ? " more op)" : " more ops)");
      os << "\n";
    }
  }

private:
  /// Kind and message; the first op, and how many more there are.
  llvm::MapVector<std::pair<std::string, std::string>, std::pair<std::string, size_t>,
                  std::map<std::pair<std::string, std::string>, unsigned>>
      lines;
};

/// What is amiss with ops alone.
void addOps(Complaints &complaints, const JudgedFunction &function) {
  for (const JudgedOp &op : function.ops) {
    // Told all the same, but not to be blamed on the plan.
    llvm::StringRef whose = op.decided ? "" : " (as before planning)";
    if (op.verdict == Verdict::Refused || op.verdict == Verdict::Crashed)
      complaints.add(name(op.verdict) + whose, describe(*op.op), op.message);
    if (!op.different.empty())
      complaints.add("result differs" + whose, describe(*op.op), joinedNames(op.different));
    if (!op.differentBefore.empty())
      complaints.add("result differs (as before planning)", describe(*op.op),
                     joinedNames(op.differentBefore));
  }
}

/// What is amiss in a function, then how many of its addresses are those that were foreseen.
void printFunction(llvm::raw_ostream &os, const JudgedFunction &function) {
  Complaints complaints;
  addOps(complaints, function);
  for (const Trouble &trouble : function.troubles)
    complaints.add("in place", trouble.op ? describe(*trouble.op) : "before the first op", trouble.message);
  complaints.print(os);
  // Only the first: what goes wrong there moves most that comes after it.
  if (function.firstAddress)
    os << "first address that differs: " << describe(*function.firstAddress->op) << ": "
       << function.firstAddress->message << "\n";
  // Most constants are prepared in DRAM: a line for each of them would hide the others.
  if (function.isConstEval && function.addresses == 0)
    return;
  os << llvm::formatv("@{0}: {1} of {2} addresses in L1 are those of 'tessera replay'\n", function.name,
                      function.equal, function.addresses);
}

/// "2 refused, 1 result differs, 3 in place": why a judgement does not pass.
std::string reasons(const Judgement &judgement) {
  size_t refused = 0, different = 0, inPlace = 0;
  for (const JudgedFunction &function : judgement.functions) {
    inPlace += function.troubles.size();
    for (const JudgedOp &op : function.ops)
      if (op.isWrong())
        // An op counts once: of a refused one no result is there that could differ.
        ++(op.different.empty() ? refused : different);
  }
  std::string text;
  for (auto [number, what] : {std::pair(refused, " refused"), std::pair(different, " with another result"),
                              std::pair(inPlace, " not possible in place")})
    if (number)
      text += (text.empty() ? "" : ", ") + std::to_string(number) + what;
  return text;
}

/// All that is known of the op, zeros too: who reads this counts by itself.
json::Value toJson(const JudgedOp &op) {
  return json::Object{{"op", op.op->op().name},
                      {"line", int64_t(op.op->line)},
                      {"location", op.op->op().location},
                      {"decided", op.decided},
                      {"verdict", name(op.verdict)},
                      {"message", op.message},
                      {"different", json::Array(op.different)},
                      {"different_before", json::Array(op.differentBefore)},
                      {"circular_buffers", json::Object{{"agreement", name(op.buffers)},
                                                        {"library", op.theirBuffers.value()},
                                                        {"tessera", op.ourBuffers.value()}}},
                      {"l1_temporaries", json::Object{{"agreement", name(op.temporaries)},
                                                      {"library", op.theirTemporaries.value()},
                                                      {"tessera", op.ourTemporaries.value()}}},
                      {"dram_temporaries", op.dramTemporaries.value()},
                      {"tessera_refuses", op.ourRule}};
}

/// Line 0 and no op: a trouble with the function's arguments, before its first op.
json::Value toJson(const Trouble &trouble) {
  return json::Object{{"line", int64_t(trouble.op ? trouble.op->line : 0)},
                      {"op", trouble.op ? json::Value(trouble.op->op().name) : json::Value(nullptr)},
                      {"message", trouble.message}};
}

/// "equal" of "all" addresses in L1 are those of a replay; the first other one is null if all are.
/// What is planned for one version of the library another one may refuse. A module that does not say is for the default
/// version.
std::string adviceFor(const Judgement &judgement) {
  llvm::StringRef planned =
      judgement.ofModule.empty() ? libraryOf(kDefaultBackendVersion) : judgement.ofModule;
  for (const BackendVersionInfo &info : backendVersions())
    if (!info.library.empty() && judgement.library == "ttnn " + info.library.str() && info.library != planned)
      return "; 'tessera optimize --backend-version " + info.library.str() + "' plans for this version";
  return "";
}

json::Value toJson(const JudgedFunction &function) {
  json::Array ops, troubles;
  for (const JudgedOp &op : function.ops)
    ops.push_back(toJson(op));
  for (const Trouble &trouble : function.troubles)
    troubles.push_back(toJson(trouble));
  return json::Object{
      {"name", function.name},
      {"ops", std::move(ops)},
      {"troubles", std::move(troubles)},
      {"addresses", json::Object{{"all", int64_t(function.addresses)}, {"equal", int64_t(function.equal)}}},
      {"first_address", function.firstAddress ? toJson(*function.firstAddress) : json::Value(nullptr)}};
}

} // namespace

void tessera::print(llvm::raw_ostream &os, const Judgement &judgement) {
  auto [byOp, all] = count(judgement);
  printTable(os, byOp, all);
  os << "\n";
  for (const JudgedFunction &function : judgement.functions)
    printFunction(os, function);
  // The verdict stands last, where who ran the command looks first.
  // An op that the library has no question for was neither accepted nor refused.
  size_t asked = all.ops - all.uncovered;
  if (judgement.passes())
    os << llvm::formatv("{0} on {1} accepts: {2} of {3} ops\n", judgement.library, judgement.device,
                        all.accepted, asked);
  else
    os << llvm::formatv("{0} on {1} does not accept this: of {2} ops {3}{4}\n", judgement.library,
                        judgement.device, asked, reasons(judgement), adviceFor(judgement));
}

json::Value tessera::toJson(const Judgement &judgement) {
  json::Array functions;
  for (const JudgedFunction &function : judgement.functions)
    functions.push_back(::toJson(function));
  return json::Object{{"library", judgement.library},
                      {"device", judgement.device},
                      {"passes", judgement.passes()},
                      {"functions", std::move(functions)}};
}
