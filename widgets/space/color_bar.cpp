#include "widgets/space/color_bar.h"

#include "widgets/common/colors.h"

#include <QFontMetrics>
#include <QPainter>

#include <utility>

namespace assay::space {
namespace {

constexpr int kGap = 6;
constexpr int kScaleWidth = 96;

} // namespace

ColorBar::ColorBar(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void ColorBar::setLegend(ColorLegend legend) {
    legend_ = std::move(legend);
    QStringList spoken{legend_.title};
    if (legend_.hasScale)
        spoken << tr("from %1 to %2").arg(legend_.low, legend_.high);
    for (const auto& entry : legend_.entries)
        spoken << entry.text;
    setAccessibleName(spoken.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

QSize ColorBar::sizeHint() const {
    const QFontMetrics metrics(font());
    int width = metrics.horizontalAdvance(legend_.title) + 2 * kGap;
    if (legend_.hasScale)
        width +=
            metrics.horizontalAdvance(legend_.low) + metrics.horizontalAdvance(legend_.high) + kScaleWidth + 3 * kGap;
    for (const auto& entry : legend_.entries)
        width += metrics.height() + metrics.horizontalAdvance(entry.text) + 2 * kGap;
    return {width, metrics.height() + 6};
}

void ColorBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QFontMetrics metrics(font());
    const QColor ink = palette().color(QPalette::WindowText);
    const QColor muted = colors::mutedText(palette());
    int x = 0;
    const auto text = [&](const QString& words, const QColor& color) {
        painter.setPen(color);
        painter.drawText(QRect(x, 0, width() - x, height()), Qt::AlignLeft | Qt::AlignVCenter, words);
        x += metrics.horizontalAdvance(words) + kGap;
    };
    text(legend_.title, ink);
    x += kGap;
    if (legend_.hasScale) {
        text(legend_.low, muted);
        QLinearGradient gradient(x, 0, x + kScaleWidth, 0);
        for (int i = 0; i <= 9; ++i)
            gradient.setColorAt(i / 9.0, colors::score(i / 9.0, palette()));
        painter.setPen(QPen(colors::mutedText(palette()), 1));
        painter.setBrush(gradient);
        painter.drawRoundedRect(QRectF(x + 0.5, 0.5 * (height() - 12) + 0.5, kScaleWidth, 12), 2, 2);
        x += kScaleWidth + kGap;
        text(legend_.high, muted);
        x += kGap;
    }
    const int dot = metrics.height() * 2 / 3;
    for (const auto& entry : legend_.entries) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(entry.color);
        painter.drawEllipse(QRectF(x, (height() - dot) / 2.0, dot, dot));
        x += dot + kGap / 2 + 1;
        text(entry.text, muted);
        x += kGap;
    }
}

} // namespace assay::space
