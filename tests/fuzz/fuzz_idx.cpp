#include "tests/fuzz/read_bytes.h"

/// The input is an IDX file, in gzip or not.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    assay::test::readBytes("fuzz-images-idx3-ubyte", data, size);
    return 0;
}
