#include "widgets/common/labels.h"

#include <QHelpEvent>
#include <QStyle>
#include <QStylePainter>
#include <QTextBoundaryFinder>
#include <QToolTip>

#include <algorithm>

namespace assay {
void makeCaption(QLabel* label) {
    QFont font = label->font();
    font.setPointSizeF(font.pointSizeF() * 0.9);
    font.setBold(true);
    font.setCapitalization(QFont::AllUppercase);
    label->setFont(font);
    label->setForegroundRole(QPalette::PlaceholderText);
}

namespace {

constexpr QChar kBreak(0x200B); // zero width space
constexpr qsizetype kLongestWord = 20;

/// The text with places to break in every long word.
QString breakable(const QString& text) {
    QString result;
    const auto append = [&](const QString& word) {
        QTextBoundaryFinder finder(QTextBoundaryFinder::Grapheme, word);
        for (qsizetype from = 0, to = finder.toNextBoundary(); to >= 0; from = to, to = finder.toNextBoundary())
            result += word.mid(from, to - from) + (word.size() > kLongestWord ? QString(kBreak) : QString());
    };
    qsizetype from = 0;
    for (qsizetype at = 0; at <= text.size(); ++at)
        if (at == text.size() || text[at].isSpace()) {
            append(text.mid(from, at - from));
            result += text.mid(at, 1);
            from = at + 1;
        }
    return result;
}

} // namespace

WrappingLabel::WrappingLabel(QWidget* parent) : WrappingLabel(QString(), parent) {}

WrappingLabel::WrappingLabel(const QString& text, QWidget* parent) : QLabel(text, parent) {
    setTextFormat(Qt::PlainText);
    setWordWrap(true);
}

bool WrappingLabel::breaksWords() const {
    return !textInteractionFlags().testFlag(Qt::TextSelectableByMouse) && breakable(text()) != text();
}

QSize WrappingLabel::minimumSizeHint() const {
    const QSize hint = QLabel::minimumSizeHint();
    return {std::min(hint.width(), fontMetrics().averageCharWidth() * static_cast<int>(kLongestWord) / 2),
            std::min(hint.height(), fontMetrics().height() + 2 * margin())};
}

int WrappingLabel::heightForWidth(int width) const {
    if (!breaksWords())
        return QLabel::heightForWidth(width);
    const QMargins outside = contentsMargins();
    const int around = 2 * margin();
    const QRect room(0, 0, std::max(1, width - outside.left() - outside.right() - around), QWIDGETSIZE_MAX);
    return fontMetrics().boundingRect(room, Qt::TextWordWrap, breakable(text())).height() + outside.top() +
           outside.bottom() + around;
}

void WrappingLabel::paintEvent(QPaintEvent* event) {
    if (!breaksWords())
        return QLabel::paintEvent(event);
    QStylePainter painter(this);
    drawFrame(&painter);
    const QRect room = contentsRect().adjusted(margin(), margin(), -margin(), -margin());
    const auto flags = static_cast<int>(QStyle::visualAlignment(layoutDirection(), alignment()));
    painter.drawItemText(room, flags | Qt::TextWordWrap, palette(), isEnabled(), breakable(text()), foregroundRole());
}

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
