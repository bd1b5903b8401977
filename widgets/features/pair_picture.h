#pragma once

#include "widgets/charts/figure.h"
#include "widgets/charts/plot_series.h"
#include "widgets/link/sample_selection.h"
#include "widgets/link/view_state.h"

#include <QPointF>
#include <QWidget>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace assay {

class PictureHeading;
class Plot;

/// Two features against each other: real samples as circles, those of the current model as triangles, both drawn from
/// evenly spaced rows where there are many. Values are in the unit of the file.
///
/// A click on a mark selects its sample; Shift adds, Ctrl toggles, Ctrl+Shift takes away. The arrow keys walk through
/// the marks from left to right, Enter selects.
class PairPicture : public QWidget {
    Q_OBJECT

public:
    static constexpr std::size_t kMaxMarks = 600; ///< of each set

    /// @param selection outlives the picture
    PairPicture(SampleSelection* selection, QWidget* parent);

    /// @param first, second columns of the embedding: below and to the left
    void showPair(const ViewState& state, std::uint32_t first, std::uint32_t second);
    /// The picture for a paper; nothing where there are no marks.
    std::optional<Figure> figure();
    std::size_t markCount() const noexcept { return marks_.size(); }
    SampleId sampleOf(std::size_t mark) const { return marks_[mark].sample; }
    /// The ids of its points are marks, from left to right.
    Plot& plot() const noexcept { return *plot_; }

    QSize minimumSizeHint() const override { return {180, 130}; }

private:
    struct Mark {
        SampleId sample;
        QPointF value;
    };

    void takeMarks(const EmbeddingSet& set, SetId id, std::uint32_t first, std::uint32_t second);
    void showHeading();
    void draw();
    PlotSeries marksOf(bool real) const;
    QString textOf(const Mark& mark) const;

    SampleSelection* selection_;
    PictureHeading* heading_;
    Plot* plot_;
    ViewState state_;
    QString x_, y_;           ///< names of the features
    std::vector<Mark> marks_; ///< from left to right
};

} // namespace assay
