#include "widgets/space/view/color_bar.h"

#include "widgets/common/colors.h"
#include "widgets/common/number_format.h"

#include <QFontMetrics>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStyleOptionFocusRect>

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
    QStringList spoken;
    for (const Piece& piece : pieces())
        spoken << (piece.text.isEmpty() ? tr("to") : piece.text);
    setAccessibleName(spoken.join(QStringLiteral(", ")));
    setFocusPolicy(legend_.entries.empty() ? Qt::NoFocus : Qt::TabFocus);
    updateGeometry();
    update();
}

std::vector<ColorBar::Piece> ColorBar::pieces() const {
    std::vector<Piece> all;
    if (!legend_.title.isEmpty())
        all.push_back({.text = legend_.title});
    if (!legend_.scale.empty())
        all.insert(all.end(), {{.text = legend_.low, .isMuted = true}, {}, {.text = legend_.high, .isMuted = true}});
    if (!legend_.onScale.text.isEmpty())
        all.push_back({.text = textOf(legend_.onScale), .isMuted = true});
    for (std::size_t at = 0; at < legend_.entries.size(); ++at)
        if (const auto& entry = legend_.entries[at]; entry.isListed()) {
            const bool none = entry.count == 0 || (entry.selected && *entry.selected == 0);
            all.push_back({.text = textOf(entry), .isMuted = none, .entry = at});
        }
    return all;
}

std::vector<ColorBar::Piece> ColorBar::placed(int width) const {
    const int line = fontMetrics().height() + kLinePadding;
    std::vector<Piece> all = pieces();
    QPoint at(0, 0);
    for (Piece& piece : all) {
        const int wide = piece.text.isEmpty() ? kScaleWidth
                                              : fontMetrics().horizontalAdvance(piece.text) + 2 +
                                                    (piece.entry ? dotOf(fontMetrics()) + kGap : 0);
        if (at.x() > 0 && at.x() + wide > width)
            at = {0, at.y() + line};
        piece.box = QRect(at, QSize(wide, line));
        at.rx() += wide + kGap;
    }
    return all;
}

QRect ColorBar::entryRect(std::size_t entry) const {
    for (const Piece& piece : placed(width()))
        if (piece.entry == entry)
            return piece.box;
    return {};
}

QSize ColorBar::sizeHint() const {
    constexpr int kUsual = 420;
    return {kUsual, heightForWidth(kUsual)};
}

QSize ColorBar::minimumSizeHint() const {
    return {40, fontMetrics().height() + kLinePadding};
}

int ColorBar::heightForWidth(int width) const {
    const std::vector<Piece> all = placed(std::max(width, 1));
    return all.empty() ? minimumSizeHint().height() : all.back().box.bottom() + 1;
}

void ColorBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor muted = colors::mutedText(palette());
    const int dot = dotOf(fontMetrics());
    for (const Piece& piece : placed(width())) {
        QRect box = piece.box;
        if (piece.text.isEmpty()) {
            QLinearGradient gradient(box.topLeft(), box.topRight());
            gradient.setStops(legend_.scale);
            QRectF bar(0, 0, kScaleWidth - 1, 12);
            bar.moveCenter(QRectF(box).center());
            painter.setPen(QPen(muted, 1));
            for (const QBrush& brush : {palette().brush(QPalette::Base), QBrush(gradient)}) {
                painter.setBrush(brush);
                painter.drawRoundedRect(bar, 2, 2);
            }
            continue;
        }
        if (piece.entry) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(legend_.entries[*piece.entry].color);
            painter.drawEllipse(QRectF(box.left() + 1, box.top() + (box.height() - dot) / 2.0, dot, dot));
            box.setLeft(box.left() + dot + kGap - 1);
        }
        painter.setPen(piece.isMuted ? muted : palette().color(QPalette::WindowText));
        painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, piece.text);
        if (hasFocus() && piece.entry && current_ == piece.entry) {
            QStyleOptionFocusRect option;
            option.initFrom(this);
            option.rect = piece.box;
            style()->drawPrimitive(QStyle::PE_FrameFocusRect, &option, &painter, this);
        }
    }
}

std::optional<std::size_t> ColorBar::entryAt(QPoint at) const {
    for (const Piece& piece : placed(width()))
        if (piece.box.contains(at))
            return piece.entry;
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
    if (legend_.entries.empty())
        return;
    const auto at = entryAt(event->position().toPoint());
    const ColorLegend::Entry entry = at ? legend_.entries[*at] : ColorLegend::Entry();
    setCursor(at ? Qt::PointingHandCursor : Qt::ArrowCursor);
    setToolTip(!at ? QString()
               : entry.model
                   ? tr("%1. Click to make it the current model.").arg(entry.text)
                   : tr("%1. Click to select these samples, double-click to show nothing else.").arg(entry.text));
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
    return QWidget::event(event);
}

} // namespace assay::space
