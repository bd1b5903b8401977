#pragma once

#include "engine/data/sample_id.h"

#include <QTableView>

namespace assay {

class RankingModel;
class RankingPicker;
class ThumbnailCache;

/// A ranking as a table with every score; a click on a header sorts by it.
///
/// Selected rows have a yellow bar in front, the focused one a frame; rejected rows are faded, accused ones say so
/// in magenta.
class RankingTable : public QTableView {
    Q_OBJECT

public:
    /// @param model and picker outlive the view
    RankingTable(RankingModel* model, RankingPicker* picker, ThumbnailCache* pictures, QWidget* parent);

    /// Scrolls as little as needed to bring a position into sight.
    void scrollToPosition(std::size_t position);

signals:
    /// Double click.
    void inspectRequested(assay::SampleId sample);

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    void showOrder();
    void showColumns();

    RankingModel* ranking_;
    RankingPicker* picker_;
    ThumbnailCache* pictures_;
    int sizedSections_ = 0; ///< columns whose width has been fitted to their headers
};

} // namespace assay
