//===- QueryText.h - Queries in tests -------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_UNITTESTS_OPMODEL_QUERYTEXT_H
#define TESSERA_UNITTESTS_OPMODEL_QUERYTEXT_H

#include "tessera/OpModel/QueryText.h"
#include "gtest/gtest.h"

namespace tessera {

/// The query that `text` describes. Text that does not parse fails the test with a message.
inline TextQuery parseQuery(llvm::StringRef text, LayoutPool &layouts, const DeviceSpec &device) {
  llvm::Expected<TextQuery> query = parseQueryText(text, layouts, device);
  if (query)
    return std::move(*query);
  ADD_FAILURE() << text.str() << ": " << llvm::toString(query.takeError());
  return TextQuery();
}

} // namespace tessera

#endif // TESSERA_UNITTESTS_OPMODEL_QUERYTEXT_H
