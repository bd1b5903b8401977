#include "engine/data/embedding_set.h"
#include "engine/io/read_embeddings.h"
#include "engine/job/error.h"

#include <cstdint>
#include <span>
#include <string>

/// The input is a Parquet file, read by convention and by a key. Whatever it holds, reading it either succeeds or
/// throws assay::Error. Begin with small files of pyarrow.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    for (const std::string key : {"", "x"}) {
        try {
            assay::readEmbeddingsFromMemory("fuzz.parquet", std::as_bytes(std::span(data, size)), key);
        } catch (const assay::Error&) {
        }
    }
    return 0;
}
