#include "tests/fuzz/read_bytes.h"

/// The input is a batch of CIFAR for Python.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    assay::test::readBytes("data_batch_1", data, size);
    return 0;
}
