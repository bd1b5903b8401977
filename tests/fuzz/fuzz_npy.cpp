#include "tests/fuzz/read_bytes.h"

/// The input is a .npy file.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    assay::test::readBytes("fuzz.npy", data, size);
    return 0;
}
