#include "gui/window/panel_title.h"

#include "widgets/common/colors.h"
#include "widgets/common/controls.h"
#include "widgets/common/labels.h"

#include <QDockWidget>
#include <QEvent>
#include <QHBoxLayout>
#include <QMainWindow>
#include <QPainter>
#include <QStyle>
#include <QToolButton>

#include <algorithm>

namespace assay {
namespace {

QToolButton* makeButton(QDockWidget* dock, QStyle::StandardPixmap picture, const QString& tip) {
    auto* button = new QToolButton;
    button->setAutoRaise(true);
    button->setIcon(dock->style()->standardIcon(picture, nullptr, dock));
    button->setIconSize(QSize(10, 10));
    button->setFocusPolicy(Qt::NoFocus); // the View menu does the same by keys
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    return button;
}

} // namespace

PanelTitle::PanelTitle(QDockWidget* dock, const QString& question)
    : dock_(dock), name_(new QLabel(dock->windowTitle())), question_(named<ElidingLabel>("question")) {
    QFont bold = font();
    bold.setBold(true);
    name_->setFont(bold);
    name_->setTextFormat(Qt::PlainText);
    question_->setText(question);
    question_->setForegroundRole(QPalette::WindowText);
    auto* detach = makeButton(dock, QStyle::SP_TitleBarNormalButton, tr("Detach or dock this panel"));
    auto* close = makeButton(dock, QStyle::SP_TitleBarCloseButton, tr("Close this panel"));
    connect(detach, &QToolButton::clicked, dock, [dock] { dock->setFloating(!dock->isFloating()); });
    connect(close, &QToolButton::clicked, dock, &QDockWidget::close);
    addAll(newLayout<QHBoxLayout>(this, {8, 2, 4, 2}, 8), name_, Wide{question_}, detach, close);
    connect(dock, &QDockWidget::visibilityChanged, this, &PanelTitle::showName);
    connect(dock, &QDockWidget::dockLocationChanged, this, &PanelTitle::showName);
    connect(dock, &QDockWidget::topLevelChanged, this, &PanelTitle::showName);
}

void PanelTitle::setQuestion(const QString& question) {
    question_->setText(question);
}

void PanelTitle::showName() {
    const auto* window = qobject_cast<const QMainWindow*>(dock_->parentWidget());
    const bool tabbed = window != nullptr && !dock_->isFloating() &&
                        !std::ranges::all_of(window->tabifiedDockWidgets(dock_), &QDockWidget::isHidden);
    name_->setVisible(!tabbed || question_->text().isEmpty());
}

bool PanelTitle::event(QEvent* event) {
    if (event->type() == QEvent::Show || event->type() == QEvent::LayoutRequest)
        showName(); // which panels share its place may have changed meanwhile
    return QWidget::event(event);
}

void PanelTitle::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setPen(colors::mutedText(palette()));
    painter.setOpacity(0.4);
    painter.drawLine(0, height() - 1, width(), height() - 1);
}

} // namespace assay
