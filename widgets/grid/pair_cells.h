#pragma once

#include "engine/audit/result/sample_pairs.h"
#include "engine/subsets/order/listed_pairs.h"
#include "widgets/grid/sample_grid.h"

#include <QString>

/// Texts of pairs of samples.
namespace assay {

/// "near duplicates", "copies of real samples", "in real and held-out set", "exposed real samples".
QString pairKindText(PairKind kind);
/// "ratio 0.12", or that the samples are equal; of an exposed one "nearer than 99.8 %".
QString ratioCaption(PairKind kind, const SamplePair& pair);
/// "distance 3.4".
QString distanceCaption(const SamplePair& pair);
/// Explains the ratio of a kind of pair, and whether this pair's ratio is remarkable; rich text.
QString ratioToolTip(PairKind kind, double threshold, const SamplePair& pair);
/// From which ratio down pairs are remarkable, in one sentence.
QString thresholdText(PairKind kind, double threshold);
/// That a sample is of the held-out set, and cannot be selected; rich text.
QString heldOutNote();

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
