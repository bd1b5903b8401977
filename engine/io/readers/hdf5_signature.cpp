#include "engine/base/error.h"
#include "engine/io/files/refusal.h"
#include "engine/io/readers/formats.h"

#include <array>
#include <cstring>
#include <string_view>

namespace assay {
namespace {

constexpr std::string_view kSignature = "\x89HDF\r\n\x1a\n";

bool standsAt(const InputFile& input, std::uint64_t offset) {
    if (offset + kSignature.size() <= input.head().size())
        return std::memcmp(input.head().data() + offset, kSignature.data(), kSignature.size()) == 0;
    std::array<std::byte, kSignature.size()> bytes{};
    try {
        readExactly(*input.openSection(offset, bytes.size()), bytes, input.name());
    } catch (const Error&) { // reading the file will report the error
        return false;
    }
    return std::memcmp(bytes.data(), kSignature.data(), kSignature.size()) == 0;
}

} // namespace

bool recognisesHdf5(const InputFile& input) {
    // The signature may follow a user block of 512 bytes or of 512 times a power of two, as MATLAB writes it. The
    // search is limited, because files of other formats have no signature.
    constexpr std::uint64_t kFirstBlock = 512, kLargestBlock = std::uint64_t{1} << 20;
    if (input.isDirectory() || input.size() < kSignature.size())
        return false;
    if (standsAt(input, 0))
        return true;
    for (std::uint64_t at = kFirstBlock; at <= kLargestBlock && at <= input.size() - kSignature.size(); at *= 2)
        if (standsAt(input, at))
            return true;
    return false;
}

#ifndef ASSAY_HAVE_HDF5
namespace {

[[noreturn]] void refuseHdf5(const InputFile& input) {
    refuse(input.name(), "a format that this build reads",
           "HDF5, which it was built without: install libhdf5-dev and build Assay again, or save the array as .npy");
}

} // namespace

EmbeddingParts readHdf5(const InputFile& input, const std::string& /*key*/, const JobContext& /*job*/) {
    refuseHdf5(input);
}

std::vector<std::string> hdf5Choices(const InputFile& input, const JobContext& /*job*/) {
    refuseHdf5(input);
}

PictureParts picturesOfHdf5(const InputFile& input, const std::string& /*key*/, PictureOrder /*order*/,
                            const JobContext& /*job*/) {
    refuseHdf5(input);
}
#endif

} // namespace assay
