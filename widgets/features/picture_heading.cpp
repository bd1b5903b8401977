#include "widgets/features/picture_heading.h"

#include "widgets/common/colors.h"
#include "widgets/common/controls.h"
#include "widgets/common/labels.h"

#include <QEvent>
#include <QLabel>
#include <QVBoxLayout>

namespace assay {

PictureHeading::PictureHeading(const QString& realMark, const QString& syntheticMark, QWidget* parent)
    : QWidget(parent), realMark_(realMark), syntheticMark_(syntheticMark), title_(new WrappingLabel(this)),
      legend_(new QLabel(this)) {
    QFont bold = font();
    bold.setBold(true);
    title_->setFont(bold);
    legend_->setTextFormat(Qt::RichText);
    legend_->setWordWrap(true);
    auto* layout = newLayout<QVBoxLayout>(this, {6, 4, 6, 2}, 1);
    layout->addWidget(title_);
    layout->addWidget(legend_);
    showLegend();
}

void PictureHeading::setTexts(const QString& title, const QString& detail) {
    title_->setText(title);
    detail_ = detail;
    showLegend();
}

QString PictureHeading::title() const {
    return title_->text();
}

void PictureHeading::showLegend() {
    const auto marked = [](const QColor& color, const QString& mark, const QString& text) {
        return QStringLiteral("<span style='color:%1'>%2</span>&nbsp;%3").arg(color.name(), mark, text);
    };
    const QString text = tr("%1 &nbsp; %2")
                             .arg(marked(colors::real(palette()), realMark_, tr("real")),
                                  marked(colors::synthetic(palette()), syntheticMark_, tr("synthetic")));
    legend_->setText(detail_.isEmpty() ? text : text + QStringLiteral(" &nbsp; ") + detail_.toHtmlEscaped());
}

void PictureHeading::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        showLegend();
}

} // namespace assay
