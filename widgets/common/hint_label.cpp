#include "widgets/common/hint_label.h"

#include <QLabel>

namespace assay {

void makeHint(QLabel* label) {
    label->setAlignment(Qt::AlignCenter);
    label->setWordWrap(true);
    label->setMargin(16);
    label->setForegroundRole(QPalette::PlaceholderText);
}

} // namespace assay
