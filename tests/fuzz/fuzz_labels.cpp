#include "engine/base/error.h"
#include "engine/io/sets/read_labels.h"
#include "tests/fuzz/named_bytes.h"

/// The input is a file of classes or ids: a table, an array or an archive. Whatever it holds, reading it either
/// succeeds or throws assay::Error.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const assay::test::NamedBytes file(data, size);
    try {
        assay::readLabels(file.name(), {});
    } catch (const assay::Error&) {
    }
    return 0;
}
