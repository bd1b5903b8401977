#include "tests/fuzz/read_bytes.h"

/// The input is a Parquet file, read by convention and by a key.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    assay::test::readBytes("fuzz.parquet", data, size);
    assay::test::readBytes("fuzz.parquet", data, size, "x");
    return 0;
}
