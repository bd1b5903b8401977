#include "engine/data/embedding_set.h"
#include "engine/io/read_embeddings.h"
#include "engine/job/error.h"

#include <cstdint>
#include <span>
#include <string>

/// The input is an HDF5 file, read by convention and by a key. Whatever it holds, reading it either succeeds or throws
/// assay::Error. The HDF5 library leaks memory over damaged files: ASAN_OPTIONS=detect_leaks=0, -detect_leaks=0. Begin
/// with small files of h5py.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    for (const std::string key : {"", "x"}) {
        try {
            assay::readEmbeddingsFromMemory("fuzz.h5", std::as_bytes(std::span(data, size)), key);
        } catch (const assay::Error&) {
        }
    }
    return 0;
}
