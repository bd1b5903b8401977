#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace assay {

class EmbeddingSet;

} // namespace assay

namespace assay::report {

class HtmlWriter;

/// A picture in the form of a data URI.
struct SamplePicture {
    std::string dataUri;    ///< PNG; empty when the sample has no picture, or it can no longer be read
    std::size_t width = 0;  ///< of the PNG, in pixels
    std::size_t height = 0; ///< of the PNG, in pixels
};

/// Bytes as base64 text, with padding.
std::string base64(std::span<const std::byte> bytes);

/// Pixels of a sample's picture, in the layout of ImageStore.
struct ReducedPicture {
    std::vector<std::uint8_t> pixels; ///< empty when the sample has no picture, or it can no longer be read
    std::size_t height = 0;
    std::size_t width = 0;
    std::size_t channels = 0;
};

/// A sample's picture, reduced by averaging where its longer side exceeds `longest` pixels.
ReducedPicture reducedPicture(const EmbeddingSet& set, std::size_t row, std::size_t longest);

/// Default limit for the longer side of a picture, in pixels.
constexpr std::size_t kThumbnail = 96;

/// A sample's picture; larger pictures are reduced by averaging.
/// @param longest limit for the longer side in pixels, at least 1
SamplePicture samplePicture(const EmbeddingSet& set, std::size_t row, std::size_t longest = kThumbnail);

/// Text such as "42, class 7"; for sets without ids "row 42".
std::string sampleName(const EmbeddingSet& set, std::size_t row);

/// Longer side of a picture in pixels of the page: of a sample, and of one beside it.
enum class PictureSize : std::uint8_t { Large = 72, Small = 48 };

/// Writes a sample's picture, or a tile with its name when it has no picture.
/// @param about the picture in words, for those who do not see it
void drawSample(HtmlWriter& html, const EmbeddingSet& set, std::size_t row, PictureSize size, const std::string& about);

} // namespace assay::report
