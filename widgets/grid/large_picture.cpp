#include "widgets/grid/large_picture.h"

#include "widgets/grid/sample_texts.h"
#include "widgets/link/decision_text.h"
#include "widgets/link/thumbnail_cache.h"

#include <QKeyEvent>
#include <QPainter>

#include <algorithm>

namespace assay {

void LargePicture::show(SampleGrid* grid, const SampleGrid::Shown& shown) {
    auto* picture = new LargePicture(grid);
    picture->showSample(shown);
    picture->setVisible(true);
    picture->raise();
    picture->setFocus();
}

LargePicture::LargePicture(SampleGrid* grid) : QWidget(grid->window()), grid_(grid) {
    setObjectName(QStringLiteral("largePicture"));
    setAttribute(Qt::WA_DeleteOnClose);
    setFocusPolicy(Qt::StrongFocus);
    setGeometry(window()->rect());
    window()->installEventFilter(this);
    grid->viewport()->installEventFilter(this);
}

void LargePicture::showSample(const SampleGrid::Shown& shown) {
    if (cache_ != shown.cache) {
        cache_ = shown.cache;
        connect(cache_, &ThumbnailCache::arrived, this, qOverload<>(&QWidget::update));
    }
    QString caption = sampleCaption(*shown.state.audit, shown.sample);
    if (const QString decision = decisionText(shown.state, shown.sample); !decision.isEmpty())
        caption = tr("%1, %2").arg(caption, decision);
    if (shown.sample == sample_ && caption == caption_)
        return; // painting this paints the grid below, which calls this
    sample_ = shown.sample;
    caption_ = caption;
    setAccessibleName(caption_);
    update();
}

bool LargePicture::eventFilter(QObject* watched, QEvent* event) {
    if (watched == window() && event->type() == QEvent::Resize)
        setGeometry(window()->rect());
    if (grid_ && watched == grid_->viewport() && event->type() == QEvent::Paint && grid_->current()) // a decision
        if (grid_->sampleAt(*grid_->current()) == sample_)
            showSample(grid_->shownAt(*grid_->current()));
    return false;
}

void LargePicture::paintEvent(QPaintEvent* /*event*/) {
    constexpr int kMargin = 24;
    QPainter painter(this);
    painter.fillRect(rect(), QColor(0, 0, 0, 220));
    const int line = 2 * fontMetrics().height();
    const int edge = std::max(1, std::min(width(), height() - 2 * line) - 2 * kMargin);
    const QRect area((width() - edge) / 2, (height() - edge) / 2, edge, edge);
    if (cache_)
        cache_->paint(painter, area, sample_, palette());
    painter.setPen(Qt::white);
    painter.drawText(QRect(0, area.bottom() + 1, width(), line), Qt::AlignCenter, caption_);
    painter.drawText(QRect(0, height() - line, width(), line), Qt::AlignCenter,
                     tr("Arrow keys: next picture. Esc: close"));
}

void LargePicture::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape || event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        close();
        if (grid_)
            grid_->setFocus();
    } else if (grid_ && event->modifiers() == Qt::NoModifier && grid_->walk(event->key())) {
        showSample(grid_->shownAt(*grid_->current()));
    } else {
        event->ignore();
    }
}

void LargePicture::mousePressEvent(QMouseEvent* /*event*/) {
    close();
    if (grid_)
        grid_->setFocus();
}

} // namespace assay
