#include "tests/fuzz/read_bytes.h"

/// The HDF5 library leaks memory over damaged files, and asks for as much as they claim.
extern "C" const char* __asan_default_options() {
    return "detect_leaks=0:allocator_may_return_null=1";
}

/// The input is an HDF5 file, read by convention and by a key.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    assay::test::readBytes("fuzz.h5", data, size);
    assay::test::readBytes("fuzz.h5", data, size, "x");
    return 0;
}
