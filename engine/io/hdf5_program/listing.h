#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace assay::hdf5 {

/// Lists the datasets that hard links lead to, in groups nested up to 32 levels deep; and, where soft links lead to
/// them, those named embeddings, labels, ids and images, the one named `wanted`, and its companions.
/// @param file open file (hid_t)
/// @return CBOR: a list of objects with the dataset's `key` and its `shape`, `type` ("<f4" as NumPy names it, "<bf2",
///         "text", or "other"), `name` of a text or other type, `matlab` (axes are in MATLAB's order) and, when its
///         elements are contiguous, their offset `at` in the file. An entry that cannot be read has a `problem`.
/// @throws Refusal for more than 10,000 objects
std::vector<std::uint8_t> listing(std::int64_t file, const std::string& wanted, bool isMatlab);

} // namespace assay::hdf5
