#pragma once

#include "engine/metrics/verdicts/verdict.h"
#include "engine/report/scores/explain.h"
#include "widgets/grid/grid_contents.h"

namespace assay {

class RankingModel;
class RankingPicker;

/// The samples of a ranking as cells of a grid: each with its verdict and tags, its place on the score colours, and
/// what the order says of it; if wanted, with the nearest sample of the other set below it.
///
/// A caption is the evidence where the order is about verdicts ("12.0× closer", "3.15× the usual distance"), else the
/// ranked value, with the evidence beside it where the next sample has the same value.
class RankingCells : public GridContents {
public:
    /// @param model and picker outlive this
    RankingCells(RankingModel* model, RankingPicker* picker) : model_(model), picker_(picker) {}

    /// Whether each cell has a second picture, of the nearest sample of the other set. Orders by copy ratio always do.
    void setNearestShown(bool shown) { nearestShown_ = shown; }
    bool isNearestShown() const;
    /// @param at in [0, size())
    QString caption(std::size_t at) const;
    /// Badges of verdicts; empty for good and for covered samples.
    static GridBadge badge(Verdict verdict, const QPalette& palette);
    static GridBadge badge(CoverageVerdict verdict, const QPalette& palette);

    std::size_t size() const override;
    GridCell cell(std::size_t at, const QPalette& palette) const override;
    std::size_t picturesPerCell() const override { return isNearestShown() ? 2 : 1; }
    QString widestCaption() const override;
    const ViewState& state(bool heldOut = false) const override;
    /// Says in a sentence what the evidence of the sample means; empty where there is none, or the caption is an id.
    QString note(std::size_t at, std::size_t picture) const override;
    QString spokenText(std::size_t at, std::size_t picture) const override;
    std::optional<Place> find(SampleId sample) const override;
    void choose(Place place, Qt::KeyboardModifiers modifiers) override;
    bool takesKey(QKeyEvent* event) override;

    const std::vector<SampleGroup>& groups() const override;
    /// "1,438 near real 661 (class 1)", "40 copies", "512 of class 3".
    QString headingText(std::size_t group) const override;
    /// The sample that a group is near; none for groups by something else.
    std::optional<SampleId> headingSample(std::size_t group) const override;
    void chooseGroup(std::size_t group, Qt::KeyboardModifiers modifiers) override;

private:
    std::optional<SampleId> nearestTo(SampleId sample) const;
    Evidence ranked(std::uint32_t row) const;
    QString valueAt(std::size_t at) const;
    QString idOf(std::uint32_t row) const;
    QString evidenceText(const Evidence& evidence) const;
    GridPicture nearestPicture(SampleId nearest, const QPalette& palette) const;
    QString nearHeading(std::size_t group, SampleId near) const;

    RankingModel* model_;
    RankingPicker* picker_;
    bool nearestShown_ = false;
};

} // namespace assay
