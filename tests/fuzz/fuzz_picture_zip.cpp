#include "tests/fuzz/read_bytes.h"

/// The input is a zip archive of pictures.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    assay::test::readBytes("fuzz.zip", data, size);
    return 0;
}
