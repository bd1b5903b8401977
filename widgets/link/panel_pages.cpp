#include "widgets/link/panel_pages.h"

#include "widgets/common/controls.h"
#include "widgets/common/labels.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace assay {
MessagePage::MessagePage(QWidget* parent)
    : QWidget(parent), text_(new WrappingLabel(nullptr)), button_(new QPushButton) {
    text_->setObjectName(QStringLiteral("panelMessage"));
    text_->setAlignment(Qt::AlignCenter);
    text_->setWordWrap(true);
    text_->setMargin(16);
    text_->setForegroundRole(QPalette::PlaceholderText);
    button_->setObjectName(QStringLiteral("panelMessageButton"));
    button_->hide();
    auto* layout = newLayout<QVBoxLayout>(this);
    layout->addStretch(1);
    layout->addWidget(text_);
    layout->addWidget(button_, 0, Qt::AlignHCenter);
    layout->addStretch(1);
}

void MessagePage::setMessage(const QString& text, const QString& button, const std::function<void()>& act) {
    text_->setText(text);
    button_->setText(button);
    button_->setVisible(!button.isEmpty());
    button_->disconnect(this);
    if (act)
        connect(button_, &QPushButton::clicked, this, act);
}

QString MessagePage::text() const {
    return text_->text();
}

PanelProblem::PanelProblem(QWidget* panel) : QFrame(panel), text_(new QLabel) {
    setObjectName(QStringLiteral("panelProblem"));
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    text_->setTextFormat(Qt::PlainText);
    text_->setWordWrap(true);
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* again = named<QPushButton>("panelRetry", tr("Try again"));
    connect(again, &QPushButton::clicked, this, [this] {
        const auto retry = retry_; // which hides this
        retry();
    });
    auto* row = new QHBoxLayout(this);
    row->addWidget(text_, 1);
    row->addWidget(again, 0, Qt::AlignTop);
    hide();
    panel->installEventFilter(this);
}

void PanelProblem::show(const QString& problem, std::function<void()> retry) {
    retry_ = std::move(retry);
    text_->setText(problem);
    QFrame::show();
    raise();
    place();
}

bool PanelProblem::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize)
        place();
    return QFrame::eventFilter(watched, event);
}

void PanelProblem::place() {
    const QSize room = parentWidget()->size();
    const int height = std::min(room.height(), layout()->totalHeightForWidth(room.width()));
    setGeometry(0, room.height() - height, room.width(), height);
}

} // namespace assay
