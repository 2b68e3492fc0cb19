//===- ConfigCheck.cpp - Model configs that were changed by hand ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/ModelGraph/Trace.h"

#include "llvm/ADT/StringExtras.h"

using namespace tessera;
using namespace tessera::runner;

namespace {

/// Fields and entries that anyone may change: forward functions read shapes from the others.
constexpr llvm::StringLiteral kFree[] = {"memory_config",
                                         "program_config",
                                         "compute_kernel_config",
                                         "input_memory_config",
                                         "output_memory_config",
                                         "topology",
                                         "num_links",
                                         "epsilon",
                                         "scale",
                                         "max_rows",
                                         "dtype",
                                         "largest",
                                         "sorted",
                                         "input_tensor_a_activations"};

class Comparison {
public:
  std::vector<std::string> wrong;

  void compare(const Item &given, const Item &own, const std::string &place, llvm::StringRef key) {
    if (given == own)
      return;
    const auto *givenDict = given.get<Dict>(), *ownDict = own.get<Dict>();
    const auto *givenList = given.get<Sequence>(), *ownList = own.get<Sequence>();
    const auto *givenObject = given.get<Object>(), *ownObject = own.get<Object>();
    if (givenDict && ownDict)
      compareDicts(*givenDict, *ownDict, place);
    else if (llvm::is_contained(kFree, key))
      checkFree(given, own, place);
    else if (givenList && ownList && givenList->items.size() == ownList->items.size())
      for (auto [index, pair] : llvm::enumerate(llvm::zip_equal(givenList->items, ownList->items)))
        compare(std::get<0>(pair), std::get<1>(pair), place + "[" + std::to_string(index) + "]", "");
    else if (givenObject && ownObject && givenObject->type == ownObject->type)
      for (auto [field, a, b] :
           llvm::zip_equal(ownObject->type->fields, givenObject->fields, ownObject->fields))
        compare(a, b, place + "." + field.name.str(), field.name);
    else
      wrong.push_back(place + " should be " + str(own) + ", as the model's shapes follow from it");
  }

private:
  void compareDicts(const Dict &given, const Dict &own, const std::string &place) {
    auto inside = [&](const std::string &key) { return place + (place.empty() ? "" : ".") + key; };
    for (const auto &[key, value] : own.entries)
      if (const Item *found = given.find(key))
        compare(*found, value, inside(key), key);
      else
        wrong.push_back(inside(key) + " is missing");
    for (const auto &[key, value] : given.entries)
      if (!own.find(key))
        wrong.push_back(inside(key) + " is not an entry of this model");
  }

  /// JSON gives fields of op configs the right type; entries that are plain numbers are checked here.
  void checkFree(const Item &given, const Item &own, const std::string &place) {
    std::optional<double> number = fromItem<double>(own), other = fromItem<double>(given);
    bool whole = own.get<int64_t>();
    if (number && (!other || !(*other > 0) || (whole && !given.get<int64_t>())))
      wrong.push_back(place + " should be a " + (whole ? "whole " : "") + "number above 0");
  }
};

} // namespace

llvm::Error runner::checkModelConfig(const Item &given, const Target &target, Phase phase) {
  Comparison comparison;
  comparison.compare(given, modelConfigOf(target, phase), "", "");
  if (comparison.wrong.empty())
    return llvm::Error::success();
  return llvm::createStringError(llvm::join(comparison.wrong, "; "));
}
