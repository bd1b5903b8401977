#pragma once

#include "engine/subsets/order/listed_pairs.h"
#include "widgets/samples/sample_grid.h"

namespace assay {

/// Pairs as cells of a grid: two pictures side by side with their ids, ratio and distance. A remarkable pair is marked.
class PairCells : public GridContents {
public:
    static constexpr int kPicture = 88; ///< edge of a picture in logical pixels

    /// @param pairs and selection outlive this
    PairCells(const ListedPairs* pairs, SampleSelection* selection) : pairs_(pairs), selection_(selection) {}

    /// Takes decisions about the listed samples.
    void setState(const ViewState& state);
    /// Look of a grid of pairs.
    static GridLook look();

    std::size_t size() const override { return pairs_->size(); }
    GridCell cell(std::size_t at, const QPalette& palette) const override;
    std::size_t picturesPerCell() const override { return 2; }
    QString widestCaption() const override;
    const ViewState& state(bool heldOut = false) const override;
    QString note(std::size_t at, std::size_t picture) const override;
    QString captionHint(std::size_t at) const override;
    QString spokenText(std::size_t at, std::size_t picture) const override;
    std::optional<Place> find(SampleId sample) const override;
    void choose(Place place, Qt::KeyboardModifiers modifiers) override;

private:
    static PairSide sideOf(std::size_t picture) { return picture == 0 ? PairSide::Left : PairSide::Right; }

    const ListedPairs* pairs_;
    SampleSelection* selection_;
    ViewState state_;
    ViewState heldOutState_;
};

} // namespace assay
