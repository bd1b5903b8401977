#pragma once

#include "widgets/tables/sample_table.h"

namespace assay {

class RankingModel;
class RankingPicker;

/// A ranking as a table with every score; a click on a header sorts by it.
///
/// Selected rows have a yellow bar in front, the focused one a frame; rejected rows are faded, accused ones say so
/// in magenta.
class RankingTable : public SampleTable {
    Q_OBJECT

public:
    /// @param model and picker outlive the view
    RankingTable(RankingModel* model, RankingPicker* picker, ThumbnailCache* pictures, QWidget* parent);

    /// Scrolls as little as needed to bring a position into sight.
    void scrollToPosition(std::size_t position);

    RowMarks marksOf(const QModelIndex& index) const override;

protected:
    void pick(int place, Qt::KeyboardModifiers modifiers) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void showOrder();

    RankingModel* ranking_;
    RankingPicker* picker_;
};

} // namespace assay
