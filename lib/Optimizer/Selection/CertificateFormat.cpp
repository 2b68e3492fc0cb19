//===- CertificateFormat.cpp - A certificate as JSON ----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// One JSON object: single numbers by the table below, which writer and reader share so that they cannot name different
// keys, and lists. Numbers are integers throughout. A proof in floating point would have to say how it rounds.
//
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Selection/SelectionCertificate.h"
#include "tessera/Support/Json.h"

#include "llvm/Support/raw_ostream.h"

#include <limits>

using namespace tessera;
using llvm::json::Array;

/// What is one number, with its key, for the writer and the reader.
static void forEachNumber(auto &certificate, auto visit) {
  visit("cost", certificate.cost);
  visit("peak", certificate.peak);
  visit("bound", certificate.bound);
  visit("scale", certificate.scale);
  visit("forbidden", certificate.forbidden);
  visit("linear", certificate.linear);
  visit("cutoff", certificate.cutoff);
  visit("table", certificate.table);
}

std::string tessera::certificateToJson(const SelectionCertificate &certificate) {
  std::string text;
  llvm::raw_string_ostream os(text);
  // Written as it comes: a proof has a gift for each state at each edge, which as values in memory would take many times the room of the text.
  llvm::json::OStream json(os);
  auto numbers = [&](auto &list) {
    json.array([&] {
      for (auto number : list)
        json.value(int64_t(number));
    });
  };
  json.object([&] {
    forEachNumber(certificate, [&](llvm::StringRef key, int64_t number) { json.attribute(key, number); });
    json.attributeBegin("states");
    numbers(certificate.states);
    json.attributeEnd();
    json.attributeArray("prices", [&] {
      for (auto [time, price] : certificate.prices)
        json.array([&] {
          json.value(time);
          json.value(price);
        });
    });
    json.attributeArray("gifts", [&] {
      for (const auto &[from, to] : certificate.gifts)
        json.array([&] {
          numbers(from);
          numbers(to);
        });
    });
    json.attributeBegin("order");
    numbers(certificate.order);
    json.attributeEnd();
  });
  return text + "\n";
}

static llvm::Error notAsItMustBe(llvm::StringRef what) {
  return llvm::createStringError("certificate: `" + what + "` is missing or not as it must be");
}

static std::optional<std::vector<int64_t>> numbersOf(const llvm::json::Value &value) {
  std::vector<int64_t> numbers;
  llvm::json::Path::Root root;
  return llvm::json::fromJSON(value, numbers, root) ? std::optional(std::move(numbers)) : std::nullopt;
}

/// Numbers of nodes or states; false if they are none.
static bool readList(const llvm::json::Object &object, llvm::StringRef name, std::vector<uint32_t> &into) {
  const llvm::json::Value *list = object.get(name);
  std::optional<std::vector<int64_t>> numbers = list ? numbersOf(*list) : std::nullopt;
  if (!numbers)
    return false;
  for (int64_t number : *numbers) {
    // Cut to 32 bits, a wrong number could name a node that exists.
    if (number < 0 || number > std::numeric_limits<uint32_t>::max())
      return false;
    into.push_back(uint32_t(number));
  }
  return true;
}

/// The lists of a certificate; the name of what is wrong, or nothing.
static llvm::StringRef readLists(const llvm::json::Object &object, SelectionCertificate &certificate) {
  if (!readList(object, "states", certificate.states))
    return "states";
  if (!readList(object, "order", certificate.order))
    return "order";
  const Array *prices = object.getArray("prices"), *gifts = object.getArray("gifts");
  if (!prices)
    return "prices";
  for (const llvm::json::Value &entry : *prices) {
    std::optional<std::vector<int64_t>> pair = numbersOf(entry);
    if (!pair || pair->size() != 2)
      return "prices";
    certificate.prices.push_back({(*pair)[0], (*pair)[1]});
  }
  if (!gifts)
    return "gifts";
  for (const llvm::json::Value &entry : *gifts) {
    const Array *sides = entry.getAsArray();
    // One list for each end, in the order of the problem's edge.
    if (!sides || sides->size() != 2)
      return "gifts";
    std::optional<std::vector<int64_t>> from = numbersOf((*sides)[0]), to = numbersOf((*sides)[1]);
    if (!from || !to)
      return "gifts";
    certificate.gifts.push_back({std::move(*from), std::move(*to)});
  }
  return {};
}

llvm::Expected<SelectionCertificate> tessera::certificateFromJson(llvm::StringRef text) {
  llvm::Expected<llvm::json::Value> json = parseJson(text);
  if (!json)
    return json.takeError();
  const llvm::json::Object *object = json->getAsObject();
  if (!object)
    return llvm::createStringError("certificate: no object");
  // The form alone: whether its numbers prove anything is for checkCertificate.
  SelectionCertificate certificate;
  // Of several keys that are wrong the first one is named, in the order of the table.
  llvm::StringRef wrong; // the first
  forEachNumber(certificate, [&](llvm::StringRef key, int64_t &into) {
    if (std::optional<int64_t> number = object->getInteger(key))
      into = *number;
    else if (wrong.empty())
      wrong = key;
  });
  if (wrong.empty())
    wrong = readLists(*object, certificate);
  if (!wrong.empty())
    return notAsItMustBe(wrong);
  return certificate;
}
