#include "widgets/common/eliding_combo_box.h"

#include "widgets/common/elided_name.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QStyleOptionComboBox>
#include <QStylePainter>
#include <QTextDocument>
#include <QToolTip>

namespace assay {

ElidingComboBox::ElidingComboBox(QWidget* parent, int letters) : QComboBox(parent) {
    setSizeAdjustPolicy(AdjustToMinimumContentsLengthWithIcon);
    if (letters == 0)
        return;
    setMinimumContentsLength(letters);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QString ElidingComboBox::shownText() const {
    QStyleOptionComboBox option;
    initStyleOption(&option);
    const QRect field = style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
    QStringList all;
    for (int i = 0; i < count(); ++i)
        all.append(itemText(i));
    return elidedName(currentText(), all, QFontMetricsF(font()), field.width() - 2, Qt::ElideRight);
}

bool ElidingComboBox::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || shownText() == currentText())
        return QComboBox::event(event);
    const QString whole = QStringLiteral("<b>%1</b>").arg(currentText().toHtmlEscaped());
    const QString more = Qt::mightBeRichText(toolTip()) ? toolTip() : toolTip().toHtmlEscaped();
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(),
                       more.isEmpty() ? whole : QStringLiteral("%1<br>%2").arg(whole, more), this);
    return true;
}

void ElidingComboBox::paintEvent(QPaintEvent*) {
    QStylePainter painter(this);
    painter.setPen(palette().color(QPalette::Text));
    QStyleOptionComboBox option;
    initStyleOption(&option);
    option.currentText = shownText();
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

} // namespace assay
