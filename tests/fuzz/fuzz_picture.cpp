#include "engine/base/error.h"
#include "engine/io/pictures/picture_files.h"

#include <cstddef>
#include <cstdint>
#include <span>

/// The input is a picture's file. Whatever it holds, decoding it either succeeds or throws assay::Error.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        assay::decodePicture(std::as_bytes(std::span(data, size)));
    } catch (const assay::Error&) {
    }
    return 0;
}
