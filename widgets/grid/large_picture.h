#pragma once

#include "widgets/grid/sample_grid.h"

#include <QPointer>
#include <QWidget>

namespace assay {

class ThumbnailCache;

/// The picture of a sample as large as the window has room for. Arrow keys walk on in the grid that it came from; a
/// click, Enter or Escape closes it.
class LargePicture : public QWidget {
    Q_OBJECT

public:
    /// Covers the grid's window until it is closed.
    static void show(SampleGrid* grid, const SampleGrid::Shown& shown);

    SampleId sample() const noexcept { return sample_; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    explicit LargePicture(SampleGrid* grid);
    void showSample(const SampleGrid::Shown& shown);

    QPointer<SampleGrid> grid_;
    QPointer<ThumbnailCache> cache_;
    SampleId sample_;
    QString caption_;
};

} // namespace assay
