#include "widgets/common/controls.h"

#include <QLayout>
#include <QList>
#include <QWidget>

namespace assay {
namespace {

void collectStops(const QLayout& layout, QList<QWidget*>& stops) {
    for (int at = 0; at < layout.count(); ++at) {
        QLayoutItem* item = layout.itemAt(at);
        if (const QLayout* inner = item->layout())
            collectStops(*inner, stops);
        QWidget* widget = item->widget();
        if (widget == nullptr)
            continue;
        if ((widget->focusPolicy() & Qt::TabFocus) != 0)
            stops << widget;
        else if (const QLayout* inner = widget->layout())
            collectStops(*inner, stops);
    }
}

} // namespace

void tabInLayoutOrder(QWidget* container) {
    if (container->layout() == nullptr)
        return;
    QList<QWidget*> stops;
    collectStops(*container->layout(), stops);
    for (qsizetype at = 1; at < stops.size(); ++at)
        QWidget::setTabOrder(stops[at - 1], stops[at]);
}

} // namespace assay
