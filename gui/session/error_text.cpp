#include "gui/session/error_text.h"

#include "engine/data/not_finite_advice.h"
#include "engine/io/tables/column_advice.h"

#include <QCoreApplication>

#include <string_view>
#include <utility>

namespace assay {
namespace {

QLatin1String latin1(std::string_view text) {
    return {text.data(), static_cast<int>(text.size())};
}

QString words(const char* text) {
    return QCoreApplication::translate("assay::ErrorText", text);
}

} // namespace

QString errorText(const QString& message) {
    const std::pair<QLatin1String, QString> inWindow[]{
        {latin1(kNotFiniteAdvice),
         words(QT_TRANSLATE_NOOP("assay::ErrorText",
                                 "\u201cMissing values\u201d, under Advanced when files are opened, drops such "
                                 "rows or fills in what is missing"))},
        {latin1(kIgnoreAdvice),
         words(QT_TRANSLATE_NOOP("assay::ErrorText",
                                 "\u201cIgnore columns\u201d, under Advanced when files are opened, leaves a "
                                 "column out of every set that has it"))},
        {latin1(kTextAdvice),
         words(QT_TRANSLATE_NOOP("assay::ErrorText",
                                 "\u201cColumns of text\u201d, under Advanced when files are opened, takes text as "
                                 "categories, \u201cIgnore columns\u201d leaves the column out"))},
        {QLatin1String("the formats of docs/formats.md"),
         words(QT_TRANSLATE_NOOP("assay::ErrorText", "the formats that Help lists under Files"))},
        {QLatin1String("--missing drop"),
         words(QT_TRANSLATE_NOOP("assay::ErrorText", "\u201cMissing values: drop\u201d"))},
        {QLatin1String("--missing indicate"),
         words(QT_TRANSLATE_NOOP("assay::ErrorText", "\u201cMissing values: indicate\u201d"))},
        {QLatin1String("--ignore-columns"), words(QT_TRANSLATE_NOOP("assay::ErrorText", "\u201cIgnore columns\u201d"))},
        {QLatin1String("--one-hot"), words(QT_TRANSLATE_NOOP("assay::ErrorText", "\u201cColumns of text\u201d"))},
        {QLatin1String("--scale"), words(QT_TRANSLATE_NOOP("assay::ErrorText", "\u201cScaling\u201d"))}};
    QString text = message;
    for (const auto& [option, choice] : inWindow)
        text.replace(option, choice);
    return text;
}

} // namespace assay
