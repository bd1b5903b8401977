#pragma once

#include "engine/report/scores/explain.h"
#include "widgets/link/linked_view.h"

#include <QWidget>

#include <vector>

namespace assay {

class ThumbnailCache;

/// The nearest samples of one set as a row of pictures, wrapped where it is too narrow: each with its distance and with
/// whether the inspected sample lies inside its ball. Every picture is a button.
class NeighborStrip : public QWidget {
    Q_OBJECT

public:
    /// @param cache outlives the strip
    NeighborStrip(ThumbnailCache* cache, QWidget* parent);

    void setNeighbors(const ViewState& state, const std::vector<NeighborRelation>& neighbors);

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void chosen(assay::SampleId sample);
    /// The mouse entered (`inside`) or left a picture.
    void hovered(assay::SampleId sample, bool inside);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    int columnsFor(int width) const;
    void arrange();

    ThumbnailCache* cache_;
    std::vector<QWidget*> tiles_;
};

} // namespace assay
