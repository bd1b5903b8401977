#include "tests/fuzz/read_bytes.h"

/// The input is a binary batch of CIFAR.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    assay::test::readBytes("data_batch_1.bin", data, size);
    return 0;
}
