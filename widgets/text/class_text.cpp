#include "widgets/text/class_text.h"

#include "widgets/common/elided_name.h"

#include <QCoreApplication>

namespace assay {

QString classText(const std::string& label) {
    const QString text = QString::fromStdString(label);
    bool isNumber = false;
    text.toDouble(&isNumber);
    return isNumber ? QCoreApplication::translate("assay::ClassText", "class %1").arg(text) : text;
}

QString briefClassText(const std::string& label) {
    return briefName(classText(label));
}

} // namespace assay
