#pragma once

#include "engine/base/job_context.h"
#include "engine/data/embedding_set.h"
#include "engine/data/float_storage.h"
#include "engine/io/sets/read_embeddings.h"
#include "engine/io/sets/set_files.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace assay {

/// An array of NumPy in the memory of the calling program.
struct LentArray {
    std::string header;                           ///< as the bytes before the elements in a .npy file
    std::span<const std::byte> elements{};        ///< in the order that the header tells
    std::shared_ptr<const ExternalMemory> memory; ///< owner of `elements`
};

/// The arrays of one set of samples.
struct SetArrays {
    std::string name;                  ///< of the set
    std::string place;                 ///< stands for a file's name in messages, reports and records
    std::optional<LentArray> values{}; ///< embeddings [N, d] or series [N, steps, features]; empty: only pictures
    bool isSeries = false;             ///< said of values of three features, which could be point clouds
    std::optional<LentArray> images{}; ///< uint8 [N, H, W] or [N, H, W, 1, 3 or 4]
    std::optional<LentArray> labels{}; ///< integers, whole floats or text, [N]
    std::optional<LentArray> ids{};    ///< integers or text, [N]
};

/// Reads a set from arrays in memory as readSet() reads it from a file of the same arrays. An aligned float32 matrix in
/// C order that needs no preparation is used in place; everything else is copied. The hash of the set's source is the
/// one of the .npy file of the values, or of the pictures where there are no values.
/// @param beside files of pictures and classes, in place of the arrays'
/// @throws as readSet(); Error{InvalidArgument} without values and pictures
std::shared_ptr<const EmbeddingSet> readArrays(const SetArrays& arrays, const JobContext& job = {},
                                               const ReadOptions& options = {}, const SetFiles& beside = {});

} // namespace assay
