#include "widgets/space/view/color_bar.h"

#include "widgets/common/colors.h"
#include "widgets/common/number_format.h"

#include <QFontMetrics>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStyleOptionFocusRect>
#include <QToolTip>

#include <algorithm>
#include <utility>

namespace assay::space {
namespace {

constexpr int kGap = 6;
constexpr int kScaleWidth = 96;
constexpr int kLinePadding = 3;
constexpr int kLongestName = 160; // pixels; classes may have any name

int dotOf(const QFontMetrics& metrics) {
    return metrics.height() * 2 / 3;
}

} // namespace

ColorBar::ColorBar(QWidget* parent) : QWidget(parent) {
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setMouseTracking(true);
}

QString ColorBar::textOf(const ColorLegend::Entry& entry) const {
    const QString name = fontMetrics().elidedText(entry.text, Qt::ElideMiddle, kLongestName);
    return entry.selected ? tr("%1: %2 of %3").arg(name, formatCount(*entry.selected), formatCount(entry.count))
                          : tr("%1: %2").arg(name, formatCount(entry.count));
}

void ColorBar::setLegend(ColorLegend legend) {
    legend_ = std::move(legend);
    if (current_ && (*current_ >= legend_.entries.size() || !legend_.entries[*current_].isListed()))
        current_.reset();
    QStringList spoken{legend_.title};
    if (!legend_.scale.empty())
        spoken << tr("from %1 to %2").arg(legend_.low, legend_.high);
    if (!legend_.onScale.text.isEmpty())
        spoken << textOf(legend_.onScale);
    for (const auto& entry : legend_.entries)
        if (entry.isListed())
            spoken << textOf(entry);
    setAccessibleName(spoken.join(QStringLiteral(", ")));
    setFocusPolicy(legend_.entries.empty() ? Qt::NoFocus : Qt::TabFocus);
    updateGeometry();
    update();
}

ColorBar::Places ColorBar::placesIn(int width) const {
    const QFontMetrics metrics(font());
    const int line = metrics.height() + kLinePadding;
    Places places;
    int x = 0;
    int y = 0;
    const auto take = [&](int wide) {
        if (x > 0 && x + wide > width) {
            x = 0;
            y += line;
        }
        const QRect box(x, y, wide, line);
        x += wide + kGap;
        return box;
    };
    if (!legend_.title.isEmpty())
        places.title = take(metrics.horizontalAdvance(legend_.title) + kGap);
    if (!legend_.scale.empty()) {
        places.low = take(metrics.horizontalAdvance(legend_.low));
        places.scale = take(kScaleWidth);
        places.high = take(metrics.horizontalAdvance(legend_.high) + 1);
        x += kGap;
    }
    if (!legend_.onScale.text.isEmpty())
        places.onScale = take(metrics.horizontalAdvance(textOf(legend_.onScale)) + kGap);
    for (const auto& entry : legend_.entries)
        places.entries.push_back(entry.isListed()
                                     ? take(dotOf(metrics) + kGap / 2 + 3 + metrics.horizontalAdvance(textOf(entry)))
                                     : QRect());
    places.height = y + line;
    return places;
}

QRect ColorBar::entryRect(std::size_t entry) const {
    return placesIn(width()).entries.at(entry);
}

QSize ColorBar::sizeHint() const {
    constexpr int kUsual = 420;
    return {kUsual, placesIn(kUsual).height};
}

QSize ColorBar::minimumSizeHint() const {
    return {40, fontMetrics().height() + kLinePadding};
}

int ColorBar::heightForWidth(int width) const {
    return placesIn(std::max(width, 1)).height;
}

void ColorBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Places places = placesIn(width());
    const QColor muted = colors::mutedText(palette());
    const auto text = [&](const QRect& box, const QString& words, const QColor& color) {
        painter.setPen(color);
        painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, words);
    };
    text(places.title, legend_.title, palette().color(QPalette::WindowText));
    if (!legend_.scale.empty()) {
        text(places.low, legend_.low, muted);
        QLinearGradient gradient(places.scale.topLeft(), places.scale.topRight());
        gradient.setStops(legend_.scale);
        QRectF bar(0, 0, kScaleWidth - 1, 12);
        bar.moveCenter(QRectF(places.scale).center());
        painter.setPen(QPen(muted, 1));
        for (const QBrush& brush : {palette().brush(QPalette::Base), QBrush(gradient)}) {
            painter.setBrush(brush);
            painter.drawRoundedRect(bar, 2, 2);
        }
        text(places.high, legend_.high, muted);
    }
    if (!places.onScale.isNull())
        text(places.onScale, textOf(legend_.onScale), muted);
    const int dot = dotOf(fontMetrics());
    for (std::size_t i = 0; i < legend_.entries.size(); ++i) {
        const QRect& box = places.entries[i];
        if (box.isNull())
            continue;
        const auto& entry = legend_.entries[i];
        painter.setPen(Qt::NoPen);
        painter.setBrush(entry.color);
        painter.drawEllipse(QRectF(box.left() + 1, box.top() + (box.height() - dot) / 2.0, dot, dot));
        const bool none = entry.count == 0 || (entry.selected && *entry.selected == 0);
        text(box.adjusted(dot + kGap / 2 + 2, 0, 0, 0), textOf(entry),
             none ? muted : palette().color(QPalette::WindowText));
        if (hasFocus() && current_ == i) {
            QStyleOptionFocusRect option;
            option.initFrom(this);
            option.rect = box;
            style()->drawPrimitive(QStyle::PE_FrameFocusRect, &option, &painter, this);
        }
    }
}

std::optional<std::size_t> ColorBar::entryAt(QPoint at) const {
    const Places places = placesIn(width());
    for (std::size_t i = 0; i < places.entries.size(); ++i)
        if (places.entries[i].contains(at))
            return i;
    return std::nullopt;
}

void ColorBar::mousePressEvent(QMouseEvent* event) {
    const auto entry = entryAt(event->position().toPoint());
    if (event->button() == Qt::LeftButton && entry)
        emit entryChosen(*entry, event->modifiers());
    else
        QWidget::mousePressEvent(event);
}

void ColorBar::mouseDoubleClickEvent(QMouseEvent* event) {
    if (const auto entry = entryAt(event->position().toPoint()); event->button() == Qt::LeftButton && entry)
        emit entryIsolated(*entry);
}

void ColorBar::mouseMoveEvent(QMouseEvent* event) {
    if (entryAt(event->position().toPoint()))
        setCursor(Qt::PointingHandCursor);
    else
        unsetCursor();
}

void ColorBar::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right)
        walk(event->key() == Qt::Key_Left ? -1 : 1);
    else if (event->key() == Qt::Key_Space && current_)
        emit entryChosen(*current_, event->modifiers());
    else if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && current_)
        emit entryIsolated(*current_);
    else
        QWidget::keyPressEvent(event);
}

void ColorBar::walk(int step) {
    const auto count = static_cast<std::ptrdiff_t>(legend_.entries.size());
    std::ptrdiff_t at = current_ ? static_cast<std::ptrdiff_t>(*current_) : step > 0 ? -1 : count;
    do
        at += step;
    while (at >= 0 && at < count && !legend_.entries[static_cast<std::size_t>(at)].isListed());
    if (at >= 0 && at < count)
        current_ = static_cast<std::size_t>(at);
    update();
}

void ColorBar::focusInEvent(QFocusEvent* event) {
    if (!current_)
        walk(1);
    QWidget::focusInEvent(event);
}

bool ColorBar::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        // Space rejects samples elsewhere.
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Space || key == Qt::Key_Return || key == Qt::Key_Enter) {
            event->accept();
            return true;
        }
    }
    if (event->type() != QEvent::ToolTip || legend_.entries.empty())
        return QWidget::event(event);
    auto* help = static_cast<QHelpEvent*>(event);
    const auto at = entryAt(help->pos());
    const ColorLegend::Entry entry = at ? legend_.entries[*at] : ColorLegend::Entry();
    QToolTip::showText(
        help->globalPos(),
        !at           ? QString()
        : entry.model ? tr("%1. Click to make it the current model.").arg(entry.text)
                      : tr("%1. Click to select these samples, double-click to show nothing else.").arg(entry.text),
        this);
    return true;
}

} // namespace assay::space
