#include "tests/fuzz/read_bytes.h"

/// The input is an .npz archive, read by convention and by a key.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    assay::test::readBytes("fuzz.npz", data, size);
    assay::test::readBytes("fuzz.npz", data, size, "arr_0");
    return 0;
}
