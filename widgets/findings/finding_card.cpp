#include "widgets/findings/finding_card.h"

#include "widgets/common/colors.h"
#include "widgets/common/number_format.h"
#include "widgets/common/wrapping_label.h"

#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include <cmath>

namespace assay {
namespace {

QLabel* wrapped(const QString& text, QWidget* parent) {
    auto* label = new WrappingLabel(text, parent);
    label->setAttribute(Qt::WA_TransparentForMouseEvents); // a click anywhere is one on the card
    return label;
}

} // namespace

FindingCard::FindingCard(const Finding& finding, QWidget* parent) : QFrame(parent), finding_(finding) {
    const QString id = catalogText(finding.kind->id);
    setObjectName(QStringLiteral("finding_%1").arg(id));
    setFrameShape(QFrame::StyledPanel);
    const bool selectable = !finding.rows.empty();
    setFocusPolicy(selectable ? Qt::StrongFocus : Qt::NoFocus);
    if (selectable)
        setCursor(Qt::PointingHandCursor);
    const QString title = catalogText(finding.kind->title);
    setAccessibleName(title);
    QString tip = metricToolTip(finding.kind->title, finding.kind->measure, {});
    tip += finding.low ? tr("<br>%1, 95 % interval %2 to %3")
                             .arg(formatNumber(finding.value), formatNumber(*finding.low), formatNumber(*finding.high))
                       : QStringLiteral("<br>%1").arg(formatNumber(finding.value));
    tip += std::isinf(finding.kind->markFrom)
               ? tr("<br>For information: it marks no model.")
               : tr("<br>Marks a model with (!) from %1 on.").arg(formatNumber(finding.kind->markFrom));
    setToolTip(tip);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 6, 6, 6);
    layout->setSpacing(3);
    auto* heading = wrapped(finding.marks() ? tr("(!) %1").arg(title) : title, this);
    QFont bold = heading->font();
    bold.setBold(true);
    heading->setFont(bold);
    layout->addWidget(heading);
    layout->addWidget(wrapped(QString::fromStdString(finding.sentence), this));
    if (!finding.advice.empty()) {
        auto* advice = wrapped(QString::fromStdString(finding.advice), this);
        advice->setForegroundRole(QPalette::PlaceholderText);
        layout->addWidget(advice);
    }
    if (selectable) {
        const QString count = formatCount(finding.rows.size());
        auto* show = wrapped(finding.side == Side::Real ? tr("Click to select %1 real samples").arg(count)
                                                        : tr("Click to select %1 samples").arg(count),
                             this);
        QFont underlined = show->font();
        underlined.setUnderline(true);
        show->setFont(underlined);
        layout->addWidget(show);
    }
    if (!finding.rules.empty()) {
        auto* rule = new QPushButton(tr("Reject what is accused"), this);
        rule->setObjectName(QStringLiteral("findingRule_%1").arg(id));
        rule->setToolTip(tr("Puts the rule into force that keeps samples whose verdict is good"));
        rule->setAutoDefault(false);
        layout->addWidget(rule, 0, Qt::AlignLeft);
        connect(rule, &QPushButton::clicked, this, &FindingCard::ruleWanted);
    }
}

void FindingCard::setChosen(bool chosen) {
    if (chosen == chosen_)
        return;
    chosen_ = chosen;
    update();
}

void FindingCard::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && rect().contains(event->pos()) && !finding_.rows.empty())
        emit chosen();
}

void FindingCard::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        emit chosen();
        return;
    case Qt::Key_Down:
        focusNextChild();
        return;
    case Qt::Key_Up:
        focusPreviousChild();
        return;
    default:
        QFrame::keyPressEvent(event);
    }
}

void FindingCard::paintEvent(QPaintEvent* event) {
    QFrame::paintEvent(event);
    QPainter painter(this);
    if (finding_.marks())
        painter.fillRect(QRect(0, 0, 4, height()), colors::unauthentic(palette()));
    if (chosen_) {
        painter.setPen(QPen(colors::selected(palette()), 3));
        painter.drawRect(rect().adjusted(1, 1, -2, -2));
    }
    if (hasFocus()) {
        painter.setPen(QPen(palette().color(QPalette::WindowText), 1, Qt::DotLine));
        painter.drawRect(rect().adjusted(3, 3, -4, -4));
    }
}

} // namespace assay
