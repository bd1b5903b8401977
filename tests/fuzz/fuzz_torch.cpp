#include "tests/fuzz/read_bytes.h"

/// The input is a file of PyTorch, read by convention and by a key.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    assay::test::readBytes("fuzz.pt", data, size);
    assay::test::readBytes("fuzz.pt", data, size, "x");
    return 0;
}
