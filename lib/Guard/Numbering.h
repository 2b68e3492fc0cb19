//===- Numbering.h - Values of two modules that are the same ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Each value gets a number, and values that are computed alike get the same one,
// in both modules:
//
//   1. The first module's ops are entered under what they are: where they
//      stand, name, numbers of the operands, types of the results, what their
//      regions hold. Ops that also say the same are one entry, counted.
//   2. The second module's ops look for the entry under what they are that
//      says no more than they do, of several the one that says the most, and
//      take its numbers.
//   3. An entry that was not found as often as it was entered is a loss.
//
// In plans, a conversion's result has its operand's number unless the element
// type changes, and the results of a cached function those that its body gives.
// An op without results writes its first operand, which has another number
// then.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_GUARD_NUMBERING_H
#define TESSERA_LIB_GUARD_NUMBERING_H

#include "Differences.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"

namespace tessera::guard {

/// Numbers are only compared, never counted: what a number is decides nothing but that two values are the same. The
/// second module is walked when the first is complete.
class Numbering {
public:
  Numbering(RawModule &before, RawModule &after, const GuardOptions &options);

  std::vector<Loss> run();

private:
  /// An op of the first module, and all that say the same.
  struct Entry {
    mlir::Operation *op = nullptr;
    unsigned first = 0; ///< its number; those of its results follow
    unsigned expected = 0, found = 0;
    std::string scope;
    std::string difference; ///< to what came nearest
  };
  struct Side {
    Side(RawModule &module, bool isBefore) : module(module), texts(module), isBefore(isBefore) {}

    RawModule &module;
    Texts texts;
    bool isBefore;
    llvm::DenseMap<mlir::Value, unsigned> numbers;
    /// What cached functions compute, and by function which ops they run.
    llvm::StringMap<std::vector<unsigned>> cached;
    llvm::DenseMap<mlir::Operation *, llvm::DenseSet<unsigned>> ran;
    llvm::SmallVector<mlir::Operation *> running; ///< cached functions
    llvm::DenseMap<mlir::Block *, llvm::StringMap<mlir::Operation *>> symbols;
  };
  using Numbers = llvm::SmallVector<unsigned>;

  void number(Side &side, mlir::Block &block, const std::string &scope);
  void number(Side &side, mlir::Operation *op, const std::string &scope);
  void numberContainer(Side &side, mlir::Operation *op, const std::string &name, const std::string &scope);
  bool lookThrough(Side &side, mlir::Operation *op, llvm::StringRef name, const std::string &scope);
  static mlir::Operation *calledFunction(Side &side, mlir::Operation *op, llvm::StringRef name);
  bool numberLoad(Side &side, mlir::Operation *load);
  void enterOrFind(Side &side, mlir::Operation *op, const std::string &name, const std::string &scope,
                   bool withResults);
  unsigned resultNumber(Side &side, mlir::OpResult result, llvm::StringRef name, unsigned made);
  std::string describe(Side &side, mlir::Operation *op, const std::string &name, const std::string &scope);
  std::string describeRegion(Side &side, mlir::Region &region, const std::string &scope);

  /// An op's number, and whether the entry under it says no more than the op.
  struct Found {
    unsigned first;
    bool isWhole;
  };

  unsigned enter(mlir::Operation *op, const std::string &key, const std::string &scope);
  Found lookUp(mlir::Operation *op, const std::string &key);
  void orderEntries();
  unsigned numberOf(Side &side, mlir::Value value);
  /// The number of what is made of a value without an op that is entered: the same for the same text, in both modules.
  unsigned derived(const std::string &text);
  /// As much of a type as the options let count.
  const std::string &typeOf(Side &side, mlir::Type type);
  void excuseReplacedFunctions();
  bool standsFor(mlir::Operation *function, const llvm::DenseSet<unsigned> &ran, mlir::Operation *was);
  /// Whether the scope is that of a function that another one stands for.
  bool isExcused(llvm::StringRef scope) const;
  /// What stands behind a module between `{-#` and `#-}` is compared as one text.
  void lookAtResources(std::vector<Loss> &losses);

  const GuardOptions &options;
  Side before, after;
  Differences differences;
  std::vector<Entry> entries;
  llvm::StringMap<llvm::SmallVector<size_t, 1>> byKey;
  llvm::StringMap<unsigned> derivedNumbers;
  /// Numbers of places without a sign by which ops sort or choose: the same in any width.
  llvm::DenseSet<unsigned> places;
  std::vector<std::string> excused; ///< scopes of functions that others stand for
  unsigned next = 1;
  bool counting = true; ///< false within cached functions
};

} // namespace tessera::guard

#endif // TESSERA_LIB_GUARD_NUMBERING_H
