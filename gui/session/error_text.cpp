#include "gui/session/error_text.h"

#include <QCoreApplication>

namespace assay {

namespace {

const QLatin1String kAdvice("--drop-nan leaves such rows out");

} // namespace

bool isAboutNotFiniteRows(const QString& message) {
    return message.contains(kAdvice);
}

QString errorText(const QString& message) {
    QString text = message;
    return text.replace(kAdvice, QCoreApplication::translate("assay::ErrorText",
                                                             "\u201cLeave out rows with NaN or infinity\u201d, "
                                                             "under Advanced when files are opened, leaves "
                                                             "such rows out"));
}

} // namespace assay
