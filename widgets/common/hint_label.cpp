#include "widgets/common/hint_label.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace assay {

void makeHint(QLabel* label) {
    label->setAlignment(Qt::AlignCenter);
    label->setWordWrap(true);
    label->setMargin(16);
    label->setForegroundRole(QPalette::PlaceholderText);
}

QWidget* makeHintPage(QLabel* hint, QPushButton* button, QWidget* parent) {
    auto* page = new QWidget(parent);
    makeHint(hint);
    button->setAutoDefault(false);
    auto* layout = new QVBoxLayout(page);
    layout->addStretch(1);
    layout->addWidget(hint);
    layout->addWidget(button, 0, Qt::AlignHCenter);
    layout->addStretch(1);
    return page;
}

} // namespace assay
