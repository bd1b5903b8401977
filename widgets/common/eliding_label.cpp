#include "widgets/common/eliding_label.h"

#include <QHelpEvent>
#include <QStyle>
#include <QStylePainter>
#include <QToolTip>

#include <algorithm>

namespace assay {

ElidingLabel::ElidingLabel(QWidget* parent, Qt::TextElideMode mode) : QLabel(parent), mode_(mode) {
    setTextFormat(Qt::PlainText);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

QString ElidingLabel::shownText() const {
    return fontMetrics().elidedText(text(), mode_, contentsRect().width() - std::max(0, indent()));
}

QSize ElidingLabel::minimumSizeHint() const {
    return {0, QLabel::minimumSizeHint().height()};
}

bool ElidingLabel::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || !toolTip().isEmpty() || shownText() == text())
        return QLabel::event(event);
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), text(), this);
    return true;
}

void ElidingLabel::paintEvent(QPaintEvent* event) {
    const QString shown = shownText();
    if (shown == text() || hasSelectedText()) {
        QLabel::paintEvent(event);
        return;
    }
    QStylePainter painter(this);
    drawFrame(&painter);
    const QRect line = contentsRect().adjusted(std::max(0, indent()), 0, 0, 0);
    painter.drawItemText(line, static_cast<int>(alignment()), palette(), isEnabled(), shown, foregroundRole());
}

} // namespace assay
