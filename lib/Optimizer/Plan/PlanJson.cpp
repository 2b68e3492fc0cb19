//===- PlanJson.cpp - A plan as JSON and back -----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// {"version": 1, "function": "main", "policy": "greedy",
//  "layouts":  [{"text": "l1/...", "grid": [8, 8], ...}, ...],      each layout once
//  "tensors":  [{"value": 3, "name": "%3", "layout": 0}, ...],
//  "steps":    [{"run": 0, "location": "relu_0", "reads": [0], "writes": [2], "outputs": [0], "config":
//  null},
//               {"convert": 2, "to": 3, "reason": "spill", "op": 0, "location": "relu_0"}, ...],
//  "returned": [3]}
//
// Names, reasons and locations are for people, but a location that does not match the
// problem's op is an error: the plan is for another program then.
//
//===----------------------------------------------------------------------===//
#include "tessera/OpModel/LayoutJson.h"
#include "tessera/Optimizer/Plan/ConversionEffects.h"
#include "tessera/Optimizer/Plan/Plan.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

using namespace tessera;
namespace json = llvm::json;

static constexpr int64_t kVersion = 1;

// ---- Writing ---------------------------------------------------------------------------------------------

namespace {

class PlanWriter {
public:
  PlanWriter(const Problem &problem, const Plan &plan) : problem(problem), plan(plan) {}

  json::Value write() {
    json::Array tensors, steps;
    for (const PlanTensor &tensor : plan.tensors)
      tensors.push_back(json::Object{{"value", number(tensor.value)},
                                     {"name", problem[tensor.value].name},
                                     {"layout", layout(tensor.layout)}});
    for (auto [step, effect] : llvm::zip_equal(plan.steps, conversionEffects(problem, plan)))
      steps.push_back(step.isRun() ? run(step) : conversion(step, effect));
    json::Array returned = numbers(plan.returned), kept;
    for (const KeptPlace &place : plan.kept)
      kept.push_back(json::Object{{"tensor", number(place.tensor)}, {"since", number(place.since)}});
    json::Object written{{"version", kVersion},
                         {"function", problem.function},
                         {"policy", plan.policy},
                         {"layouts", std::move(layouts)},
                         {"tensors", std::move(tensors)},
                         {"steps", std::move(steps)},
                         {"returned", std::move(returned)}};
    // Left out like this, and read like this: few plans keep places.
    if (!kept.empty())
      written["kept"] = std::move(kept);
    return written;
  }

private:
  template <class Tag>
  static json::Value number(Id<Tag> id) {
    return id.valid() ? json::Value(int64_t(id.index())) : json::Value(nullptr);
  }

  static json::Array numbers(llvm::ArrayRef<TensorId> ids) {
    json::Array array;
    for (TensorId id : ids)
      array.push_back(number(id));
    return array;
  }

  /// The layout's index in the "layouts" table.
  json::Value layout(LayoutId id) {
    if (!id.valid())
      return nullptr;
    auto [entry, isNew] = indices.try_emplace(id.index(), int64_t(layouts.size()));
    if (isNew)
      layouts.push_back(toJson(problem.layout(id)));
    return entry->second;
  }

  json::Value run(const PlanStep &step) {
    const OpConfig &config = plan.configs[step.op.index()];
    json::Array outputs;
    for (LayoutId output : config.outputs)
      outputs.push_back(layout(output));
    return json::Object{{"run", number(step.op)},        {"location", problem[step.op].location},
                        {"reads", numbers(step.reads)},  {"writes", numbers(step.writes)},
                        {"outputs", std::move(outputs)}, {"config", toJson(config.specific)}};
  }

  json::Value conversion(const PlanStep &step, const std::optional<ConversionEffect> &effect) {
    json::Object object{{"convert", number(step.reads.front())},
                        {"to", number(step.writes.front())},
                        {"reason", effect ? json::Value(name(effect->reason)) : json::Value(nullptr)},
                        {"op", number(step.op)}};
    if (step.op.valid())
      object["location"] = problem[step.op].location;
    return object;
  }

  const Problem &problem;
  const Plan &plan;
  json::Array layouts;
  llvm::DenseMap<size_t, int64_t> indices; ///< LayoutId -> place in `layouts`; only looked up
};

// ---- Reading ---------------------------------------------------------------------------------------------

/// Files are anybody's, so every number is held against the list that it counts in. Whether what was read is a plan
/// that runs is another question, and the checker's (PlanChecker.h).
class PlanReader {
public:
  explicit PlanReader(const Problem &problem) : problem(problem) {}

  bool read(const json::Value &value, json::Path path) {
    json::ObjectMapper object(value, path);
    int64_t version = 0;
    std::vector<TensorLayout> written;
    if (!object || !object.map("version", version) || !object.map("policy", plan.policy) ||
        !object.map("layouts", written))
      return false;
    if (version != kVersion) {
      path.field("version").report("unknown version");
      return false;
    }
    for (const TensorLayout &layout : written)
      layouts.push_back(problem.layouts->intern(layout));
    for (const Op &op : problem.ops)
      // Ops that the file does not run keep what the program declares; the checker reports that they never run.
      plan.configs.push_back(op.declared);
    // In this order: steps name tensors, and tensors layouts, that have to be there by then.
    const json::Object &all = *value.getAsObject();
    return list(all, "tensors", path, [&](const auto &entry, json::Path at) { return tensor(entry, at); }) &&
           list(all, "steps", path, [&](const auto &entry, json::Path at) { return step(entry, at); }) &&
           tensorList(all, "returned", plan.returned, path) &&
           (!all.get("kept") ||
            list(all, "kept", path, [&](const auto &entry, json::Path at) { return kept(entry, at); }));
  }

  Plan plan;

private:
  /// Reads each entry of a list, until one is wrong.
  static bool list(const json::Object &object, llvm::StringLiteral field, json::Path path,
                   llvm::function_ref<bool(const json::Value &, json::Path)> read) {
    const json::Array *array = object.getArray(field);
    if (!array) {
      path.field(field).report("expected a list");
      return false;
    }
    for (size_t i = 0; i < array->size(); ++i)
      if (!read((*array)[i], path.field(field).index(i)))
        return false;
    return true;
  }

  /// Reads an index below `size`; null is the invalid id where that is allowed.
  template <class IdType>
  static bool id(const json::Value *value, size_t size, IdType &out, json::Path path, bool optional = false) {
    if (value && value->kind() == json::Value::Null && optional)
      return true;
    std::optional<int64_t> number = value ? value->getAsInteger() : std::nullopt;
    if (!number || *number < 0 || size_t(*number) >= size) {
      path.report("expected the number of an entry that exists");
      return false;
    }
    out = IdType(size_t(*number));
    return true;
  }

  template <class Vector>
  bool layoutList(const json::Object &object, llvm::StringLiteral field, Vector &out, json::Path path) {
    out.clear();
    return list(object, field, path, [&](const json::Value &entry, json::Path at) {
      Id<struct WrittenLayoutTag> index;
      // Null where the configuration leaves a result's layout open.
      bool ok = id(&entry, layouts.size(), index, at, /*optional=*/true);
      out.push_back(ok && index.valid() ? layouts[index.index()] : LayoutId());
      return ok;
    });
  }

  bool tensorList(const json::Object &object, llvm::StringLiteral field, std::vector<TensorId> &out,
                  json::Path path) {
    return list(object, field, path, [&](const json::Value &entry, json::Path at) {
      return id(&entry, plan.tensors.size(), out.emplace_back(), at);
    });
  }

  /// Tensors are numbered by their place in the list: whoever names one finds it already read.
  bool tensor(const json::Value &value, json::Path path) {
    const json::Object *object = value.getAsObject();
    PlanTensor &tensor = plan.tensors.emplace_back();
    Id<struct WrittenLayoutTag> layout;
    if (!object) {
      path.report("expected an object");
      return false;
    }
    if (!id(object->get("value"), problem.values.size(), tensor.value, path.field("value")) ||
        !id(object->get("layout"), layouts.size(), layout, path.field("layout")))
      return false;
    tensor.layout = layouts[layout.index()];
    return true;
  }

  bool kept(const json::Value &value, json::Path path) {
    const json::Object *object = value.getAsObject();
    KeptPlace &place = plan.kept.emplace_back();
    if (!object) {
      path.report("expected an object");
      return false;
    }
    return id(object->get("tensor"), plan.tensors.size(), place.tensor, path.field("tensor")) &&
           id(object->get("since"), plan.tensors.size(), place.since, path.field("since"));
  }

  bool step(const json::Value &value, json::Path path) {
    const json::Object *object = value.getAsObject();
    if (!object || (!object->get("run") && !object->get("convert"))) {
      path.report("expected an object with 'run' or 'convert'");
      return false;
    }
    return object->get("run") ? run(*object, path) : conversion(*object, path);
  }

  bool run(const json::Object &object, json::Path path) {
    PlanStep &step = plan.steps.emplace_back();
    if (!id(object.get("run"), problem.ops.size(), step.op, path.field("run")) ||
        !matchesLocation(object, step.op, path) || !tensorList(object, "reads", step.reads, path) ||
        !tensorList(object, "writes", step.writes, path))
      return false;
    OpConfig &config = plan.configs[step.op.index()];
    const json::Value *specific = object.get("config");
    return layoutList(object, "outputs", config.outputs, path) &&
           fromJSON(specific ? *specific : json::Value(nullptr), config.specific, path.field("config"));
  }

  bool conversion(const json::Object &object, json::Path path) {
    PlanStep &step = plan.steps.emplace_back();
    step.kind = PlanStep::Kind::Convert;
    // Null where a returned argument is converted: no op is behind that.
    // Its reason is for people: it follows from the plan.
    return id(object.get("op"), problem.ops.size(), step.op, path.field("op"), /*optional=*/true) &&
           (!step.op.valid() || matchesLocation(object, step.op, path)) &&
           id(object.get("convert"), plan.tensors.size(), step.reads.emplace_back(), path.field("convert")) &&
           id(object.get("to"), plan.tensors.size(), step.writes.emplace_back(), path.field("to"));
  }

  bool matchesLocation(const json::Object &object, OpId op, json::Path path) {
    // Numbers hold for one problem. With the location a plan of another one is refused, and not misread.
    std::optional<llvm::StringRef> location = object.getString("location");
    if (location && *location == problem[op].location)
      return true;
    path.field("location").report("another op than the module has there");
    return false;
  }

  const Problem &problem;
  std::vector<LayoutId> layouts; ///< by place in the "layouts" table
};

} // namespace

json::Value tessera::toJson(const Problem &problem, const Plan &plan) {
  return PlanWriter(problem, plan).write();
}

llvm::Expected<Plan> tessera::planFromJson(const Problem &problem, const json::Value &value) {
  json::Path::Root root("plan");
  PlanReader reader(problem);
  if (!reader.read(value, root))
    return root.getError();
  return std::move(reader.plan);
}
