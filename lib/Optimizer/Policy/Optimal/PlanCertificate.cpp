//===- PlanCertificate.cpp - A plan and its bound, to be checked again ----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A file with a certificate may come from anywhere, so reading it believes nothing: keys are asked for one by one,
// numbers are compared with their ranges before they are cut to fewer bits, and what the numbers claim is for the
// checks to say. Those go from what is cheap to what is dear: is it a plan, is it legal, does it take that time, is
// the bound proven.
//
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Policy/PlanCertificate.h"

#include "tessera/Optimizer/Plan/Cost.h"
#include "tessera/Optimizer/Plan/PlanChecker.h"
#include "tessera/Support/Json.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <limits>

using namespace tessera;
namespace json = llvm::json;

static json::Value toJson(const KeptOps &kept) {
  json::Object all;
  for (const auto &[function, names] : kept) {
    std::vector<std::string> sorted; // a set of strings has no order that holds
    for (llvm::StringRef name : names.keys())
      sorted.push_back(name.str());
    llvm::sort(sorted);
    all[function] = json::Array(sorted);
  }
  return all;
}

/// null: the bound is one of plans in any order. A list, be it empty: of plans in the order of this one.
static json::Value toJson(const std::optional<std::vector<SelectionConflict>> &inOrder) {
  if (!inOrder)
    return nullptr;
  json::Array conflicts;
  for (auto [first, second] : *inOrder)
    conflicts.push_back(json::Array{int64_t(first), int64_t(second)});
  return conflicts;
}

json::Value tessera::toJson(const PlanCertificate &certificate) {
  json::Array functions;
  for (const FunctionCertificate &function : certificate.functions)
    functions.push_back(
        json::Object{{"function", function.function},
                     {"time_ns", function.time.value()},
                     {"bound_ns", function.bound.time.value()},
                     {"in_order", ::toJson(function.bound.inOrder)},
                     {"plan", function.plan},
                     // Written and read by the format of selections, so that there is one.
                     {"proof", llvm::cantFail(json::parse(certificateToJson(function.bound.proof)))}});
  return json::Object{{"policy", certificate.policy},
                      {"rewritten", certificate.kept ? ::toJson(*certificate.kept) : json::Value(nullptr)},
                      {"functions", std::move(functions)}};
}

static llvm::Error notAsItMustBe(llvm::StringRef what) {
  return llvm::createStringError("certificate: `" + what + "` is missing or not as it must be");
}

/// Which ops rewrites left alone decides the graph, and so which problem the proof is about.
static std::optional<KeptOps> keptFromJson(const json::Object &object) {
  KeptOps kept;
  for (const auto &[function, value] : object) {
    const json::Array *names = value.getAsArray();
    if (!names)
      return std::nullopt;
    for (const json::Value &name : *names) {
      if (!name.getAsString())
        return std::nullopt;
      kept[function.str()].insert(*name.getAsString());
    }
  }
  return kept;
}

/// Nullopt: not as it must be.
static std::optional<std::vector<SelectionConflict>> conflictsFromJson(const json::Array &array) {
  std::vector<SelectionConflict> conflicts;
  auto nodeOf = [](const json::Value &value) {
    // A number beyond 32 bits would be cut to that of another node.
    std::optional<int64_t> node = value.getAsInteger();
    return node && *node >= 0 && *node <= std::numeric_limits<SelectionNode>::max() ? node : std::nullopt;
  };
  for (const json::Value &value : array) {
    const json::Array *pair = value.getAsArray();
    if (!pair || pair->size() != 2 || !nodeOf((*pair)[0]) || !nodeOf((*pair)[1]))
      return std::nullopt;
    conflicts.emplace_back(*nodeOf((*pair)[0]), *nodeOf((*pair)[1]));
  }
  return conflicts;
}

static llvm::Expected<FunctionCertificate> functionFromJson(const json::Value &value) {
  const json::Object *object = value.getAsObject();
  if (!object)
    return notAsItMustBe("functions");
  std::optional<llvm::StringRef> name = object->getString("function");
  std::optional<double> time = object->getNumber("time_ns"), bound = object->getNumber("bound_ns");
  const json::Value *plan = object->get("plan"), *proof = object->get("proof");
  for (auto [key, isThere] : {std::pair("function", name.has_value()),
                              {"time_ns", time.has_value()},
                              {"bound_ns", bound.has_value()},
                              {"plan", plan != nullptr},
                              {"proof", proof != nullptr}})
    if (!isThere)
      return notAsItMustBe(key);
  const json::Value *inOrder = object->get("in_order");
  std::optional<std::vector<SelectionConflict>> conflicts;
  if (inOrder && inOrder->getAsArray())
    conflicts = conflictsFromJson(*inOrder->getAsArray());
  // Null is a claim, of plans in any order, which nobody makes by leaving the key out.
  if (!inOrder || (!conflicts && !inOrder->getAsNull()))
    return notAsItMustBe("in_order");
  // Through text, so that selections' certificates have one reader.
  llvm::Expected<SelectionCertificate> read = certificateFromJson(llvm::formatv("{0}", *proof).str());
  if (!read)
    return read.takeError();
  return FunctionCertificate{name->str(), Nanoseconds(*time), *plan,
                             PlanBound{Nanoseconds(*bound), std::move(*read), std::move(conflicts)}};
}

/// The form of a file alone: no problem is at hand yet against which plan or proof could be checked.
llvm::Expected<PlanCertificate> tessera::planCertificateFromJson(llvm::StringRef text) {
  llvm::Expected<json::Value> value = parseJson(text);
  if (!value)
    return value.takeError();
  const json::Object *object = value->getAsObject();
  if (!object)
    return llvm::createStringError("certificate: no object");
  PlanCertificate certificate;
  std::optional<llvm::StringRef> policy = object->getString("policy");
  if (!policy)
    return notAsItMustBe("policy");
  certificate.policy = policy->str();
  const json::Value *rewritten = object->get("rewritten");
  if (rewritten && rewritten->getAsObject())
    certificate.kept = keptFromJson(*rewritten->getAsObject());
  if (!rewritten || (!certificate.kept && !rewritten->getAsNull()))
    return notAsItMustBe("rewritten");
  const json::Array *functions = object->getArray("functions");
  if (!functions)
    return notAsItMustBe("functions");
  for (const json::Value &function : *functions) {
    llvm::Expected<FunctionCertificate> read = functionFromJson(function);
    if (!read)
      return read.takeError();
    // One of the two would be checked, and the other one believed.
    if (llvm::any_of(certificate.functions,
                     [&](const FunctionCertificate &other) { return other.function == read->function; }))
      return llvm::createStringError("certificate: it has function '" + read->function + "' twice");
    certificate.functions.push_back(std::move(*read));
  }
  return certificate;
}

llvm::Expected<Plan> tessera::checkPlanCertificate(const Problem &problem, const OpCostTable &table,
                                                   const FunctionCertificate &certificate) {
  llvm::Expected<Plan> plan = planFromJson(problem, certificate.plan);
  if (!plan)
    return plan.takeError();
  // Legal first: of a plan that is no program neither time nor bound is defined.
  if (PlanCheck check = checkPlan(problem, *plan, table); !check.ok())
    return llvm::createStringError("the plan is not legal: " + check.violations.front().message);
  // To the last bit, as the same sums over the same table give the same number.
  if (Nanoseconds time = planCost(problem, *plan, table).total(); time != certificate.time)
    return llvm::createStringError(
        llvm::formatv("the plan takes {0} ns, and not {1}", time.value(), certificate.time.value()));
  if (llvm::Error error = checkBound(problem, table, *plan, certificate.bound))
    return std::move(error);
  return plan;
}
