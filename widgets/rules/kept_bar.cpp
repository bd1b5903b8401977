#include "widgets/rules/kept_bar.h"

#include "widgets/common/colors.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace assay {

KeptBar::KeptBar(QWidget* parent) : QWidget(parent) {
    setFixedHeight(6);
}

void KeptBar::setShare(double share) {
    share_ = share;
    update();
}

void KeptBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), colors::rejected(palette()));
    // Every part above zero is at least one pixel wide.
    const int least = share_ > 0.0 ? 1 : 0;
    const int most = share_ < 1.0 ? width() - 1 : width();
    const int kept = std::clamp(static_cast<int>(std::lround(share_ * width())), least, std::max(least, most));
    painter.fillRect(QRect(0, 0, kept, height()), colors::synthetic(palette()));
}

} // namespace assay
