#include "widgets/curves/curve_legend.h"

#include "widgets/charts/mark_paint.h"
#include "widgets/common/colors.h"

#include <QFocusEvent>
#include <QPainter>
#include <QPalette>
#include <QPixmap>

#include <algorithm>
#include <array>

namespace assay {
namespace {

constexpr double kCurrentWidth = 2.6;
constexpr double kLineWidth = 1.6;
constexpr std::size_t kFewPoints = 40;

QColor paler(const QColor& color, const QPalette& palette) {
    constexpr float kOwn = 0.55F;
    const QColor base = palette.color(QPalette::Base);
    const auto mix = [](float own, float other) { return kOwn * own + (1.0F - kOwn) * other; };
    return QColor::fromRgbF(mix(color.redF(), base.redF()), mix(color.greenF(), base.greenF()),
                            mix(color.blueF(), base.blueF()));
}

/// Dashes of the scores themselves, in turn.
Qt::PenStyle dashOf(std::size_t style) {
    static constexpr std::array<Qt::PenStyle, 4> kDashes{Qt::SolidLine, Qt::DotLine, Qt::DashDotLine,
                                                         Qt::DashDotDotLine};
    // Six colours meet four dashes again after twelve lines: from there on one dash further.
    return kDashes[(style + style / 12) % kDashes.size()];
}

MarkShape shapeOf(std::size_t style) {
    static constexpr std::array<MarkShape, 6> kShapes{MarkShape::Circle,       MarkShape::Square,
                                                      MarkShape::Diamond,      MarkShape::TriangleUp,
                                                      MarkShape::TriangleDown, MarkShape::Plus};
    return kShapes[style / 4 % kShapes.size()];
}

MarkStyle markOf(const ChartLine& line, const QPen& pen, const QPalette& palette) {
    if (line.ideal || (line.x && line.x->size() > kFewPoints))
        return {};
    return {line.current ? MarkShape::Circle : shapeOf(line.style), 6.4 + pen.widthF() / 2.0,
            line.controlOf ? palette.color(QPalette::Base) : pen.color(), QPen(pen.color(), 1.2)};
}

QPen penOf(const ChartLine& line, const QPalette& palette) {
    if (line.ideal)
        return {colors::mutedText(palette), kLineWidth, Qt::DashLine, Qt::FlatCap};
    if (line.current)
        return {colors::synthetic(palette), kCurrentWidth, Qt::SolidLine, Qt::FlatCap};
    const QColor color = colors::line(line.style, palette);
    return line.controlOf ? QPen(paler(color, palette), kLineWidth, Qt::DashLine, Qt::FlatCap)
                          : QPen(color, kLineWidth, dashOf(line.style), Qt::FlatCap);
}

} // namespace

LineStyle lineStyle(const ChartLine& line, const QPalette& palette) {
    const QPen pen = penOf(line, palette);
    return {pen, markOf(line, pen, palette)};
}

namespace {

constexpr QSize kSample(36, 12);
constexpr int kMaxWidth = 320;

QIcon sampleOf(const ChartLine& line, const QPalette& palette, double ratio) {
    QPixmap pixmap(kSample * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    const LineStyle style = lineStyle(line, palette);
    paintLineSample(painter, style.pen, style.mark, QRectF({}, QSizeF(kSample)));
    painter.end();
    QIcon icon;
    for (const auto mode : {QIcon::Normal, QIcon::Selected, QIcon::Active})
        icon.addPixmap(pixmap, mode); // a selected row must not tint it
    return icon;
}

} // namespace

CurveLegend::CurveLegend(QWidget* parent) : QListWidget(parent) {
    setObjectName(QStringLiteral("curveLegend"));
    setAccessibleName(tr("Lines of the chart"));
    setFrameShape(QFrame::NoFrame);
    setIconSize(kSample);
    setUniformItemSizes(true);
    setMouseTracking(true);
    setTextElideMode(Qt::ElideMiddle);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(this, &QListWidget::itemChanged, this, &CurveLegend::shownChanged);
    connect(this, &QListWidget::itemEntered, this,
            [this](QListWidgetItem* item) { emit highlighted(static_cast<std::size_t>(row(item))); });
    connect(this, &QListWidget::currentRowChanged, this, [this](int at) {
        if (at >= 0 && hasFocus())
            emit highlighted(static_cast<std::size_t>(at));
    });
    connect(this, &QListWidget::itemActivated, this,
            [this](QListWidgetItem* item) { emit lineChosen(static_cast<std::size_t>(row(item))); });
}

void CurveLegend::show(const std::vector<ChartLine>& lines, const QStringList& toolTips,
                       const std::vector<bool>& shown) {
    const QSignalBlocker quiet(this);
    clear();
    lines_ = lines;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        auto* item = new QListWidgetItem(QString::fromStdString(lines_[i].name), this);
        item->setToolTip(toolTips[static_cast<qsizetype>(i)]);
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        item->setCheckState(shown[i] ? Qt::Checked : Qt::Unchecked);
        QFont font = item->font();
        font.setBold(lines_[i].current);
        item->setFont(font);
    }
    paintSamples();
}

void CurveLegend::paintSamples() {
    const QSignalBlocker quiet(this);
    for (int row = 0; row < count(); ++row)
        item(row)->setIcon(sampleOf(lines_[static_cast<std::size_t>(row)], palette(), devicePixelRatioF()));
}

void CurveLegend::setShown(const std::vector<bool>& shown) {
    const QSignalBlocker quiet(this);
    for (int row = 0; row < count(); ++row)
        item(row)->setCheckState(shown[static_cast<std::size_t>(row)] ? Qt::Checked : Qt::Unchecked);
}

std::vector<bool> CurveLegend::shown() const {
    std::vector<bool> ticked;
    ticked.reserve(lines_.size());
    for (int row = 0; row < count(); ++row)
        ticked.push_back(item(row)->checkState() == Qt::Checked);
    return ticked;
}

int CurveLegend::widthWanted() const {
    constexpr int kTickAndMargins = 40;
    return std::min(kMaxWidth, sizeHintForColumn(0) + kTickAndMargins - kSample.width() / 2);
}

int CurveLegend::heightWanted() const {
    return count() > 0 ? sizeHintForRow(0) * std::min(count(), 4) : 0;
}

void CurveLegend::leaveEvent(QEvent* event) {
    QListWidget::leaveEvent(event);
    emit highlighted(std::nullopt);
}

void CurveLegend::focusInEvent(QFocusEvent* event) {
    QListWidget::focusInEvent(event);
    if (currentRow() >= 0 && event->reason() != Qt::MouseFocusReason)
        emit highlighted(static_cast<std::size_t>(currentRow()));
}

void CurveLegend::focusOutEvent(QFocusEvent* event) {
    QListWidget::focusOutEvent(event);
    emit highlighted(std::nullopt);
}

void CurveLegend::changeEvent(QEvent* event) {
    QListWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && count() == static_cast<int>(lines_.size()))
        paintSamples();
}

} // namespace assay
