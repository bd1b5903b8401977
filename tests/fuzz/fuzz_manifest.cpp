#include "engine/io/manifest.h"
#include "engine/job/error.h"
#include "tests/fuzz/named_bytes.h"

/// The input is a manifest. Whatever it holds, reading it either succeeds or throws assay::Error.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const assay::test::NamedBytes file(data, size);
    try {
        assay::readManifest(file.name());
    } catch (const assay::Error&) {
    }
    return 0;
}
