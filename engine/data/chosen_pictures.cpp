#include "engine/data/chosen_pictures.h"

#include <utility>

namespace assay {
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

} // namespace assay
