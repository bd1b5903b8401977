#include "widgets/common/message_page.h"

#include "widgets/common/controls.h"
#include "widgets/common/wrapping_label.h"

#include <QPushButton>
#include <QVBoxLayout>

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

} // namespace assay
