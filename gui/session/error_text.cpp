#include "gui/session/error_text.h"

#include "engine/data/not_finite_advice.h"

#include <QCoreApplication>

namespace assay {

namespace {

const QLatin1String kAdvice(kNotFiniteAdvice.data(), static_cast<int>(kNotFiniteAdvice.size()));

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
