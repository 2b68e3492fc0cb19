//===- Judgement.h - What the vendor's library says of a module -----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_DRIVER_MODULES_JUDGEMENT_H
#define TESSERA_LIB_DRIVER_MODULES_JUDGEMENT_H

#include "../Common/OpsOfFile.h"

#include "tessera/Optimizer/Plan/PlanReplay.h"

#include "tessera/Library/TtnnLibrary.h"
#include "tessera/OpModel/Backends.h"
#include "tessera/OpModel/Question.h"
#include "llvm/Support/JSON.h"

#include <set>

namespace tessera {

/// How an op fared alone.
enum class Verdict : uint8_t {
  Accepted,
  Refused,   ///< the library throws
  Uncovered, ///< the library has no such call, or none is known
  Crashed,   ///< it took the library down
};
llvm::StringRef name(Verdict verdict);

/// Circular buffers of an op: the library's beside those of our op model. Per core.
enum class BufferAgreement : uint8_t {
  Equal,
  TooSmall, ///< ours
  TooLarge,
  Unknown,     ///< our op model refuses the op, or does not know it
  NotRecorded, ///< the library does not tell
};
llvm::StringRef name(BufferAgreement agreement);

/// One op of a function.
struct JudgedOp {
  const OpOfFile *op = nullptr;
  bool decided = true; ///< the module before planning does not ask for the same
  Verdict verdict = Verdict::Uncovered;
  std::string message; ///< the library's, if it does not accept
  std::vector<std::string>
      different; ///< what of the results is not as the module states: "page", "cores", ...
  /// As `different`, but stated as wrongly before planning: a shape or a type that the program has.
  std::vector<std::string> differentBefore;
  BufferAgreement buffers = BufferAgreement::Unknown;
  Bytes theirBuffers, ourBuffers;
  /// Tensors that it makes beside its results and frees, in L1: as BufferAgreement has it.
  BufferAgreement temporaries = BufferAgreement::Unknown;
  Bytes theirTemporaries, ourTemporaries;
  Bytes dramTemporaries; ///< the library's, on the fullest bank
  std::string ourRule;   ///< why our op model refuses the op; "" if it does not

  /// Whether the plan is to blame for anything here.
  bool isWrong() const {
    return decided && (verdict == Verdict::Refused || verdict == Verdict::Crashed || !different.empty());
  }
};

/// What happened in a function as a whole.
struct Trouble {
  const OpOfFile *op = nullptr; ///< null: before the first
  std::string message;
};

/// Ops are asked about one by one as well as run in a row: a plan of legal ops may still find no room.
struct JudgedFunction {
  std::string name;
  bool isConstEval = false; ///< it prepares constants, once
  std::vector<JudgedOp> ops;
  std::vector<Trouble> troubles; ///< out of memory, clashes, failed deallocations
  size_t addresses = 0,
         equal = 0; ///< of results in L1: how many, and how many where `tessera replay` has them
  std::optional<Trouble> firstAddress; ///< the first that is elsewhere
};

struct Judgement {
  std::string library; ///< "ttnn 0.77.0"
  std::string device;
  std::string ofModule; ///< the version of the library that the module is for, "0.81.1"; "": it does not say
  std::vector<JudgedFunction> functions;

  /// Nothing that a plan has decided is refused or different, and all of it finds room.
  bool passes() const;
};

/// What the library is asked about an op; "" if it is not.
std::string questionOf(const OpOfFile &op, QuestionWriter &writer);
/// The questions that a file asks.
std::set<std::string> questionsOf(const OpsOfFile &file);

/// Asks the library about a file. `before`: questions of the module before it was planned; null: all is decided.
/// `workers`: processes of the library at most.
llvm::Expected<Judgement> judge(const OpsOfFile &file, const OpModelBackend &ours,
                                const std::set<std::string> *before, const TtnnLibrary &library,
                                unsigned workers);

/// For people.
void print(llvm::raw_ostream &os, const Judgement &judgement);
/// docs/judge.md lists the keys.
llvm::json::Value toJson(const Judgement &judgement);

/// Where the function's tensors lie as the module is written, on a device as the library's is opened.
PlanReplay replayAsJudged(const OpsOfFile &file, const BuiltProblem &built, const OpCostTable &model);

} // namespace tessera

#endif // TESSERA_LIB_DRIVER_MODULES_JUDGEMENT_H
