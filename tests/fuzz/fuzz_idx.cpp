#include "engine/data/embedding_set.h"
#include "engine/io/read_embeddings.h"
#include "engine/job/error.h"

#include <cstdint>

/// The input is an IDX file, in gzip or not. Whatever it holds, reading it either succeeds or throws assay::Error.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        assay::readEmbeddingsFromMemory("fuzz-images-idx3-ubyte", std::as_bytes(std::span(data, size)));
    } catch (const assay::Error&) {
    }
    return 0;
}
