#include "widgets/kept_bar.h"

#include "widgets/colors.h"

#include <QPainter>

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
    painter.fillRect(QRect(0, 0, static_cast<int>(std::lround(share_ * width())), height()),
                     colors::synthetic(palette()));
}

} // namespace assay
