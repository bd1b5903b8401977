#include "widgets/charts/figure.h"

#include "widgets/common/colors.h"

#include <QAbstractButton>
#include <QFontInfo>
#include <QFontMetricsF>
#include <QLocale>
#include <QPainter>
#include <QPalette>
#include <QWidget>

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

constexpr double kEdge = 8.0;
constexpr double kSampleWidth = 36.0;
constexpr double kGap = 6.0;

QPalette paper() {
    QPalette palette{QColor(Qt::white)};
    for (const auto role : {QPalette::Window, QPalette::Base, QPalette::AlternateBase, QPalette::Button})
        palette.setColor(role, Qt::white);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(role, QColor(0x1B1E22));
    return palette;
}

/// A widget in the colours of paper, without buttons, for as long as this lives.
class OnPaper {
public:
    explicit OnPaper(QWidget& widget)
        : widget_(widget), before_(widget.palette()), wasSet_(widget.testAttribute(Qt::WA_SetPalette)) {
        widget_.setPalette(paper());
        for (auto* button : widget.findChildren<QAbstractButton*>())
            if (!button->isHidden()) {
                button->hide();
                hidden_.push_back(button);
            }
    }
    ~OnPaper() {
        widget_.setPalette(wasSet_ ? before_ : QPalette());
        for (QAbstractButton* button : hidden_)
            button->show();
    }
    OnPaper(const OnPaper&) = delete;
    OnPaper& operator=(const OnPaper&) = delete;

private:
    QWidget& widget_;
    QPalette before_;
    bool wasSet_;
    std::vector<QAbstractButton*> hidden_;
};

QFont smallFont(const QWidget& chart) {
    QFont font = chart.font();
    font.setPixelSize(std::max(1, static_cast<int>(std::lround(0.9 * QFontInfo(font).pixelSize())))); // on every device
    return font;
}

/// Where the entries of a legend go, in rows below the chart. @return the height of all
double placeLegend(const Figure& figure, const QFontMetricsF& metrics, double width, std::vector<QRectF>& boxes) {
    double x = kEdge;
    double y = 0.0;
    const double line = metrics.height() + 4.0;
    for (const Figure::Entry& entry : figure.legend) {
        const double wide = kSampleWidth + kGap + metrics.horizontalAdvance(entry.name) + 2 * kEdge;
        if (x > kEdge && x + wide > width) {
            x = kEdge;
            y += line;
        }
        boxes.emplace_back(x, y, wide, line);
        x += wide;
    }
    return boxes.empty() ? 0.0 : y + line + kGap;
}

QRectF captionBox(const Figure& figure, const QFontMetricsF& metrics, double width) {
    return metrics.boundingRect(QRectF(0, 0, width - 2 * kEdge, 10'000.0), Qt::TextWordWrap, figure.caption);
}

} // namespace

QSizeF figureSize(const Figure& figure, FigureCaption caption) {
    const QFontMetricsF metrics(smallFont(*figure.chart));
    std::vector<QRectF> boxes;
    const double width = figure.chart->width();
    double height = figure.chart->height() + placeLegend(figure, metrics, width, boxes);
    if (caption == FigureCaption::Shown && !figure.caption.isEmpty())
        height += captionBox(figure, metrics, width).height() + 2 * kEdge;
    return {width, std::ceil(height)};
}

void paintFigure(QPainter& painter, const Figure& figure, FigureCaption caption) {
    const OnPaper light(*figure.chart);
    const QSizeF size = figureSize(figure, caption);
    painter.fillRect(QRectF({}, size), Qt::white);
    figure.chart->render(&painter, QPoint(0, 0), QRegion(), QWidget::DrawChildren);
    const QPalette palette = paper();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(smallFont(*figure.chart));
    const QFontMetricsF metrics(smallFont(*figure.chart));
    double below = figure.chart->height();
    std::vector<QRectF> boxes;
    const double legendHeight = placeLegend(figure, metrics, size.width(), boxes);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const QRectF box = boxes[i].translated(0, below);
        figure.legend[i].sample(painter, QRectF(box.left(), box.top(), kSampleWidth, box.height()));
        painter.setPen(palette.color(QPalette::WindowText));
        painter.drawText(box.adjusted(kSampleWidth + kGap, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                         figure.legend[i].name);
    }
    below += legendHeight;
    if (caption == FigureCaption::Hidden || figure.caption.isEmpty())
        return;
    painter.setPen(colors::mutedText(palette));
    painter.drawText(QRectF(kEdge, below + kEdge, size.width() - 2 * kEdge, size.height() - below), Qt::TextWordWrap,
                     figure.caption);
}

QString dataNumber(double value) {
    return QLocale::c().toString(value, 'g', QLocale::FloatingPointShortest);
}

} // namespace assay
