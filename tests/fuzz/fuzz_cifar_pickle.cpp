#include "engine/data/embedding_set.h"
#include "engine/io/read_embeddings.h"
#include "engine/job/error.h"

#include <cstdint>

/// The input is a batch of CIFAR for Python. Whatever it holds, reading it either succeeds or throws assay::Error.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        assay::readEmbeddingsFromMemory("data_batch_1", std::as_bytes(std::span(data, size)));
    } catch (const assay::Error&) {
    }
    return 0;
}
