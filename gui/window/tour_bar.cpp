#include "gui/window/tour_bar.h"

#include "gui/session/tour.h"
#include "widgets/common/controls.h"
#include "widgets/common/number_format.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace assay {
namespace {

QToolButton* makeButton(QHBoxLayout* layout, const char* name, const QString& text) {
    auto* button = new QToolButton;
    button->setObjectName(QLatin1String(name));
    button->setText(text);
    button->setFocusPolicy(Qt::TabFocus);
    layout->addWidget(button, 0, Qt::AlignVCenter);
    return button;
}

} // namespace

TourBar::TourBar(Tour* tour, std::function<QString(std::size_t)> modelName, QWidget* parent)
    : QToolBar(tr("Walk through the findings"), parent), tour_(tour), modelName_(std::move(modelName)),
      place_(named<QLabel>("tourPlace")), text_(named<QLabel>("tourText")), row_(new QWidget) {
    setObjectName(QStringLiteral("tourBar"));
    setMovable(false);
    setContextMenuPolicy(Qt::PreventContextMenu);
    toggleViewAction()->setVisible(false); // it comes and goes with the tour
    QFont bold = font();
    bold.setBold(true);
    place_->setFont(bold);
    text_->setWordWrap(true);
    text_->setTextFormat(Qt::PlainText);
    auto* layout = newLayout<QHBoxLayout>(row_, {8, 4, 8, 4}, 8);
    layout->addWidget(place_, 0, Qt::AlignVCenter);
    layout->addWidget(text_, 1);
    back_ = makeButton(layout, "tourBack", tr("Back"));
    next_ = makeButton(layout, "tourNext", tr("Next"));
    auto* end = makeButton(layout, "tourEnd", tr("End"));
    addWidget(row_);
    connect(back_, &QToolButton::clicked, tour_, &Tour::back);
    connect(next_, &QToolButton::clicked, tour_, &Tour::next);
    connect(end, &QToolButton::clicked, tour_, &Tour::end);
    connect(tour_, &Tour::changed, this, &TourBar::refresh);
    refresh();
}

void TourBar::refresh() {
    if (tour_->isOn()) {
        const TourStep& step = tour_->step();
        place_->setText(
            tr("%1 of %2: %3")
                .arg(formatCount(tour_->position() + 1), formatCount(tour_->count()), modelName_(step.model)));
        QString text = step.sentence;
        if (!step.advice.isEmpty())
            text += QLatin1Char(' ') + step.advice;
        if (step.example)
            text += QLatin1Char(' ') + tr("One of them is open on the right.");
        text_->setText(text);
        back_->setEnabled(tour_->position() > 0);
        next_->setText(tour_->position() + 1 < tour_->count() ? tr("Next") : tr("Done"));
    }
    setVisible(tour_->isOn());
    fitHeight();
}

void TourBar::resizeEvent(QResizeEvent* event) {
    QToolBar::resizeEvent(event);
    fitHeight();
}

void TourBar::fitHeight() {
    layout()->activate(); // the row has its width then
    if (const int height = row_->layout()->totalHeightForWidth(row_->width()); height > 0)
        row_->setFixedHeight(height);
}

} // namespace assay
