#pragma once

#include "engine/data/embedding_set.h"
#include "engine/io/read_embeddings.h"
#include "engine/job/error.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace assay::test {

/// Reads bytes as a file of that name, which either succeeds or throws Error. Values are z-scored, on one thread:
/// principal components, the usual last step of built-in embeddings, would take a thousand times as long as reading.
inline void readBytes(const std::string& name, const std::uint8_t* data, std::size_t size,
                      const std::string& key = {}) {
    ReadOptions options;
    options.threads = 1;
    options.choice.scaling = Scaling::ZScore;
    try {
        readEmbeddingsFromMemory(name, std::as_bytes(std::span(data, size)), key, {}, options);
    } catch (const Error&) { // as it should
    }
}

} // namespace assay::test
