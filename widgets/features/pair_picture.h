#pragma once

#include "widgets/charts/figure.h"
#include "widgets/link/view_state.h"
#include "widgets/link/sample_selection.h"

#include <QPointF>
#include <QWidget>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

class QScatterSeries;

namespace assay {

class ChartFrame;
class PictureHeading;

/// Two features against each other: real samples as circles, those of the current model as triangles, both drawn from
/// evenly spaced rows where there are many. Values are in the unit of the file.
///
/// A click on a mark selects its sample; Shift adds, Ctrl toggles, Ctrl+Shift takes away. The arrow keys walk through
/// the marks from left to right, Enter selects.
class PairPicture : public QWidget {
    Q_OBJECT

public:
    static constexpr std::size_t kMostMarks = 600; ///< of each set

    /// @param selection outlives the picture
    PairPicture(SampleSelection* selection, QWidget* parent);

    /// @param first, second columns of the embedding: below and to the left
    void showPair(const ViewState& state, std::uint32_t first, std::uint32_t second);
    /// The picture for a paper; nothing where there are no marks.
    std::optional<Figure> figure();
    std::size_t markCount() const noexcept { return marks_.size(); }
    SampleId sampleOf(std::size_t mark) const { return marks_[mark].sample; }
    QPoint placeOf(std::size_t mark) const;

    QSize minimumSizeHint() const override { return {180, 130}; }

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    struct Mark {
        SampleId sample;
        QPointF value;
    };

    void takeMarks(const EmbeddingSet& set, SetId id, std::uint32_t first, std::uint32_t second);
    void fitAxes(const QString& x, const QString& y);
    void themeSeries();
    void showHeading(const QString& title);
    QString textOf(const Mark& mark) const;
    std::optional<std::size_t> markAt(QPoint point) const;
    void select(std::size_t mark, Qt::KeyboardModifiers modifiers);
    void paintSelected(QPainter& painter) const;

    SampleSelection* selection_;
    PictureHeading* heading_;
    ChartFrame* frame_;
    QScatterSeries* real_;
    QScatterSeries* synthetic_;
    ViewState state_;
    std::vector<Mark> marks_; ///< from left to right
    std::optional<std::size_t> cursor_;
};

} // namespace assay
