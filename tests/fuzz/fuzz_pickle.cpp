#include "engine/base/error.h"
#include "engine/io/tensors/pickle_reader.h"

#include <cstdint>
#include <span>

/// The input is a pickle. Whatever it holds, reading it either succeeds or throws assay::Error.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        const assay::Pickle pickle(std::as_bytes(std::span(data, size)), "fuzz.pkl");
        pickle.describe(pickle.root());
        for (const assay::PickleValue value : pickle.items(pickle.root()))
            assay::arrayOf(pickle, value, "fuzz.pkl");
    } catch (const assay::Error&) {
    }
    return 0;
}
