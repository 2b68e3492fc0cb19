//===- VectorFile.h - NumPy's archives of arrays, for tests ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_UNITTESTS_SIMULATOR_VECTORFILE_H
#define TESSERA_UNITTESTS_SIMULATOR_VECTORFILE_H

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace tessera::simulator {

/// The arrays of fp32 of an .npz file by name ("out0"), their elements one after the other; others are left out. Empty if the
/// file cannot be read.
std::map<std::string, std::vector<float>> readVectors(const std::filesystem::path &file);

} // namespace tessera::simulator

#endif // TESSERA_UNITTESTS_SIMULATOR_VECTORFILE_H
