#pragma once

#include <cstddef>
#include <string>

namespace assay {

class EmbeddingSet;

} // namespace assay

namespace assay::report {

/// A picture as the text of a page.
struct SamplePicture {
    std::string dataUri;    ///< a PNG; empty where the sample has no picture, or it cannot be read any more
    std::size_t width = 0;  ///< of the PNG, at most kThumbnail
    std::size_t height = 0; ///< likewise
};

/// Pixels of the longer side that a picture keeps at most.
constexpr std::size_t kThumbnail = 96;

/// A sample's picture; a larger one is made smaller by averaging.
/// @param longest pixels that the longer side may have, at least 1
SamplePicture samplePicture(const EmbeddingSet& set, std::size_t row, std::size_t longest = kThumbnail);

} // namespace assay::report
