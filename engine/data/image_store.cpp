#include "engine/data/image_store.h"

#include "engine/base/error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <string>
#include <utility>

namespace assay {

bool PiecewisePixels::read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept {
    try {
        while (!into.empty()) {
            const auto piece = static_cast<std::size_t>(offset / bytesEach_);
            const std::size_t copied = copyPiece(piece, static_cast<std::size_t>(offset % bytesEach_), into);
            if (copied == 0)
                return false;
            into = into.subspan(copied);
            offset += copied;
        }
        return true;
    } catch (const std::exception&) {
        return false;
    }
}

std::size_t PiecewisePixels::copyFrom(std::span<const std::uint8_t> piece, std::size_t begin,
                                      std::span<std::uint8_t> into) {
    const auto wanted = piece.subspan(std::min(begin, piece.size()));
    const std::size_t count = std::min(into.size(), wanted.size());
    std::copy_n(wanted.begin(), count, into.begin());
    return count;
}

ImageStore::ImageStore(const Shape& shape) : shape_(shape) {
    if (shape.channels != 1 && shape.channels != 3 && shape.channels != 4)
        throw Error(ErrorKind::InvalidArgument,
                    "pictures need 1, 3 or 4 channels, found " + std::to_string(shape.channels));
}

ImageStore::ImageStore(std::vector<std::uint8_t> pixels, std::size_t rows, std::size_t height, std::size_t width,
                       std::size_t channels)
    : ImageStore(Shape{rows, height, width, channels}) {
    pixels_ = std::move(pixels);
    const std::size_t expected = rows * bytesPerImage();
    if (pixels_.size() != expected)
        throw Error(ErrorKind::InvalidArgument,
                    "pictures need " + std::to_string(expected) + " bytes, found " + std::to_string(pixels_.size()));
}

ImageStore::ImageStore(std::shared_ptr<const PixelSource> source, std::size_t rows, std::size_t height,
                       std::size_t width, std::size_t channels)
    : ImageStore(Shape{rows, height, width, channels}) {
    source_ = std::move(source);
}

std::vector<std::uint8_t> ImageStore::pixels(std::size_t row) const {
    if (isInMemory()) {
        const auto held = image(row);
        return {held.begin(), held.end()};
    }
    std::vector<std::uint8_t> read(bytesPerImage());
    if (!source_->read(std::uint64_t{row} * bytesPerImage(), read))
        read.clear();
    return read;
}

namespace {

class ChosenPixels : public PiecewisePixels {
public:
    ChosenPixels(std::shared_ptr<const ImageStore> all, std::vector<std::uint32_t> rows)
        : PiecewisePixels(all->bytesPerImage()), all_(std::move(all)), rows_(std::move(rows)) {}

    bool isMissing(std::size_t row) const noexcept override {
        return row < rows_.size() && (rows_[row] == kNoPicture || all_->isMissing(rows_[row]));
    }

private:
    std::size_t copyPiece(std::size_t row, std::size_t begin, std::span<std::uint8_t> into) const override {
        if (rows_.at(row) == kNoPicture)
            return copyFrom(std::vector<std::uint8_t>(all_->bytesPerImage()), begin, into);
        return copyFrom(all_->pixels(rows_[row]), begin, into);
    }

    std::shared_ptr<const ImageStore> all_;
    std::vector<std::uint32_t> rows_;
};

} // namespace

std::shared_ptr<const ImageStore> chosenPictures(std::shared_ptr<const ImageStore> all,
                                                 std::vector<std::uint32_t> rows) {
    const std::size_t count = rows.size();
    return std::make_shared<const ImageStore>(std::make_shared<const ChosenPixels>(all, std::move(rows)), count,
                                              all->height(), all->width(), all->channels());
}

namespace {

constexpr std::size_t kSide = kSeriesPictureSide;
constexpr double kLast = static_cast<double>(kSide - 1);
constexpr std::size_t kChannels = 3;
constexpr double kRange = 3.0;    ///< standard deviations on either side of the mean
constexpr double kHalfLine = 2.2; ///< still to be seen in a thumbnail
constexpr std::uint8_t kHighest = 255;

using Color = std::array<std::uint8_t, kChannels>;
constexpr Color kMean{0xDD, 0xE1, 0xE6};
/// Of the features, in turn; apart from each other for most who see colours differently.
constexpr std::array<Color, 6> kColors{{{0x1F, 0x5F, 0xA8},
                                        {0xD9, 0x73, 0x0D},
                                        {0x1B, 0x8A, 0x5A},
                                        {0x8E, 0x44, 0xAD},
                                        {0xB0, 0x2A, 0x37},
                                        {0x5B, 0x65, 0x70}}};

using Pixels = std::vector<std::uint8_t>;

/// Covers a column of pixels from `top` to `bottom`, which may lie between pixels.
void paintColumn(Pixels& pixels, std::size_t x, double top, double bottom, const Color& color) {
    const auto first = static_cast<std::size_t>(std::max(0.0, std::floor(top)));
    const double end = std::min(bottom, static_cast<double>(kSide));
    for (std::size_t y = first; static_cast<double>(y) < end; ++y) {
        const auto above = static_cast<double>(y);
        const double covered = std::clamp(std::min(end, above + 1.0) - std::max(top, above), 0.0, 1.0);
        for (std::size_t channel = 0; channel < kChannels; ++channel) {
            std::uint8_t& value = pixels[(y * kSide + x) * kChannels + channel];
            value = static_cast<std::uint8_t>(std::lround(value + covered * (color[channel] - value)));
        }
    }
}

/// Height of a curve between two steps, in pixels from the top.
double heightAt(std::span<const std::uint8_t> window, WindowShape shape, std::size_t feature, double step) {
    const auto before = std::min(static_cast<std::size_t>(step), shape.steps - 1);
    const std::size_t after = std::min(before + 1, shape.steps - 1);
    const double share = step - static_cast<double>(before);
    const double value =
        (1.0 - share) * window[before * shape.features + feature] + share * window[after * shape.features + feature];
    return kLast * (1.0 - value / kHighest) + 0.5;
}

void drawCurve(Pixels& pixels, std::span<const std::uint8_t> window, WindowShape shape, std::size_t feature) {
    const double perPixel = static_cast<double>(shape.steps - 1) / kLast;
    for (std::size_t x = 0; x < kSide; ++x) {
        // Steps that the pixel's column shows: its two borders, and all between them.
        const double begin = std::max(0.0, (static_cast<double>(x) - 0.5) * perPixel);
        const double end = std::min(static_cast<double>(shape.steps - 1), (static_cast<double>(x) + 0.5) * perPixel);
        double top = heightAt(window, shape, feature, begin);
        double bottom = top;
        const auto take = [&](double step) {
            const double height = heightAt(window, shape, feature, step);
            top = std::min(top, height);
            bottom = std::max(bottom, height);
        };
        for (double step = std::ceil(begin); step < end; ++step)
            take(step);
        take(end);
        paintColumn(pixels, x, top - kHalfLine, bottom + kHalfLine, kColors[feature % kColors.size()]);
    }
}

class SeriesPixels : public PiecewisePixels {
public:
    SeriesPixels(std::span<const float> values, WindowShape shape)
        : PiecewisePixels(kSide * kSide * kChannels), shape_(shape), heights_(values.size()) {
        // A byte is more than a picture of this size can show, and a quarter of the values' memory.
        std::ranges::transform(values, heights_.begin(), [](float value) {
            const double above = static_cast<double>(value) + kRange; // NaN, which the set will report, counts as 0
            const double share = above > 0.0 ? std::min(above / (2.0 * kRange), 1.0) : 0.0;
            return static_cast<std::uint8_t>(std::lround(share * kHighest));
        });
    }

    bool isDrawn() const noexcept override { return true; }

private:
    std::size_t copyPiece(std::size_t row, std::size_t begin, std::span<std::uint8_t> into) const override {
        const std::size_t size = shape_.steps * shape_.features;
        const auto window = std::span(heights_).subspan(row * size, size);
        Pixels pixels(kSide * kSide * kChannels, 0xFF);
        for (std::size_t x = 0; x < kSide; ++x)
            paintColumn(pixels, x, kLast / 2.0 - 0.5, kLast / 2.0 + 1.5, kMean);
        for (std::size_t feature = shape_.features; feature-- > 0;) // the first above all others
            drawCurve(pixels, window, shape_, feature);
        return copyFrom(pixels, begin, into);
    }

    WindowShape shape_;
    std::vector<std::uint8_t> heights_; ///< windows x steps x features: of the picture's height, from below
};

} // namespace

std::shared_ptr<const ImageStore> seriesPictures(std::span<const float> values, WindowShape window) {
    return std::make_shared<const ImageStore>(std::make_shared<const SeriesPixels>(values, window),
                                              values.size() / (window.steps * window.features), kSide, kSide,
                                              kChannels);
}

} // namespace assay
