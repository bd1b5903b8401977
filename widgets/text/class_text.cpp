#include "widgets/text/class_text.h"

#include <QCoreApplication>

namespace assay {

QString classText(const std::string& label) {
    const QString text = QString::fromStdString(label);
    bool isNumber = false;
    text.toDouble(&isNumber);
    return isNumber ? QCoreApplication::translate("assay::ClassText", "class %1").arg(text) : text;
}

QString briefClassText(const std::string& label) {
    constexpr qsizetype kMost = 40;
    const QString text = classText(label);
    return text.size() <= kMost ? text : text.left(kMost / 2) + QChar(0x2026) + text.right(kMost / 2 - 1);
}

} // namespace assay
