#include "widgets/space/plane/difference_legend.h"

#include "widgets/common/colors.h"
#include "widgets/space/plane/plane_picture.h"

#include <QFontMetrics>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace assay::space {
namespace {

constexpr int kWordGap = 8;
constexpr int kBar = 150;

} // namespace

DifferenceLegend::DifferenceLegend(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("spaceDifferenceLegend"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setAccessibleName(tr("Difference: from %1 to %2").arg(few(), many()));
    setToolTip(tr("Density of the model divided by that of the real set, smoothed on the plane. Outlines enclose 25, "
                  "50, 75 and 95 % of the real samples. Differences that may be chance (less than two standard errors) "
                  "have no colour. Places that lie together on the plane may be apart in the other dimensions."));
}

QString DifferenceLegend::few() const {
    return tr("too few synthetic samples (1/%1)").arg(kStrongestRatio);
}

QString DifferenceLegend::many() const {
    return tr("too many (%1 times as many)").arg(kStrongestRatio);
}

QSize DifferenceLegend::sizeHint() const {
    const QFontMetrics metrics(font());
    return {metrics.horizontalAdvance(few()) + metrics.horizontalAdvance(many()) + kBar + 2 * kWordGap,
            metrics.height() + 6};
}

QSize DifferenceLegend::minimumSizeHint() const {
    return {60, sizeHint().height()};
}

void DifferenceLegend::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QFontMetrics metrics(font());
    // Where there is little room the bar goes first: the words say what the colours mean.
    const int words = metrics.horizontalAdvance(few()) + metrics.horizontalAdvance(many()) + 2 * kWordGap;
    const int bar = std::clamp(width() - words, 24, kBar);
    const int room = std::max(0, width() - bar - 2 * kWordGap);
    const QString left =
        metrics.elidedText(few(), Qt::ElideRight, std::min(metrics.horizontalAdvance(few()), room / 2 + room / 8));
    const QString right = metrics.elidedText(many(), Qt::ElideRight, room - metrics.horizontalAdvance(left));
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(QRect(0, 0, width(), height()), Qt::AlignLeft | Qt::AlignVCenter, left);
    const double x = metrics.horizontalAdvance(left) + kWordGap;
    QLinearGradient gradient(x, 0, x + bar, 0);
    for (int i = 0; i <= 16; ++i) {
        const double t = i / 8.0 - 1.0;
        QColor color = colors::difference(t, palette());
        color.setAlphaF(static_cast<float>(0.9 * std::sqrt(std::abs(t))));
        gradient.setColorAt(i / 16.0, color);
    }
    const QRectF box(x + 0.5, (height() - 12) / 2.0 + 0.5, bar - 1, 12);
    painter.setPen(QPen(colors::mutedText(palette()), 1));
    painter.setBrush(palette().color(QPalette::Base));
    painter.drawRoundedRect(box, 2, 2);
    painter.setBrush(gradient);
    painter.drawRoundedRect(box, 2, 2);
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(QRectF(x + bar + kWordGap, 0, width() - x - bar - kWordGap, height()),
                     Qt::AlignLeft | Qt::AlignVCenter, right);
}

} // namespace assay::space
