#pragma once

#include <cstddef>
#include <string>

namespace assay {

class EmbeddingSet;

} // namespace assay

namespace assay::report {

/// A picture in the form of a data URI.
struct SamplePicture {
    std::string dataUri;    ///< PNG; empty when the sample has no picture, or it can no longer be read
    std::size_t width = 0;  ///< of the PNG, in pixels
    std::size_t height = 0; ///< of the PNG, in pixels
};

/// Default limit for the longer side of a picture, in pixels.
constexpr std::size_t kThumbnail = 96;

/// A sample's picture; larger pictures are reduced by averaging.
/// @param longest limit for the longer side in pixels, at least 1
SamplePicture samplePicture(const EmbeddingSet& set, std::size_t row, std::size_t longest = kThumbnail);

} // namespace assay::report
