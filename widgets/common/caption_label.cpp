#include "widgets/common/caption_label.h"

#include <QLabel>

namespace assay {

void makeCaption(QLabel* label) {
    QFont font = label->font();
    font.setPointSizeF(font.pointSizeF() * 0.9);
    font.setBold(true);
    font.setCapitalization(QFont::AllUppercase);
    label->setFont(font);
    label->setForegroundRole(QPalette::PlaceholderText);
}

} // namespace assay
