#include "gui/session/error_text.h"

#include "engine/data/finite.h"
#include "engine/io/tables/table_header.h"
#include "widgets/common/number_format.h"

#include <QCoreApplication>

#include <string_view>
#include <utility>

namespace assay {
namespace {

/// Translation context of this file's texts.
struct ErrorWords {
    Q_DECLARE_TR_FUNCTIONS(assay::ErrorText)
};

} // namespace

QString errorText(const QString& message) {
    const std::pair<std::string_view, QString> inWindow[]{
        {kNotFiniteAdvice,
         ErrorWords::tr("\u201cMissing values\u201d, under Advanced when files are opened, drops such "
                        "rows or fills in what is missing")},
        {kIgnoreAdvice, ErrorWords::tr("\u201cIgnore columns\u201d, under Advanced when files are opened, leaves a "
                                       "column out of every set that has it")},
        {kTextAdvice, ErrorWords::tr("\u201cColumns of text\u201d, under Advanced when files are opened, takes text as "
                                     "categories, \u201cIgnore columns\u201d leaves the column out")},
        {"the formats of docs/formats.md", ErrorWords::tr("the formats that Help lists under Files")},
        {"--missing drop", ErrorWords::tr("\u201cMissing values: drop\u201d")},
        {"--missing indicate", ErrorWords::tr("\u201cMissing values: indicate\u201d")},
        {"--ignore-columns", ErrorWords::tr("\u201cIgnore columns\u201d")},
        {"--one-hot", ErrorWords::tr("\u201cColumns of text\u201d")},
        {"--scale", ErrorWords::tr("\u201cScaling\u201d")}};
    QString text = message;
    for (const auto& [option, choice] : inWindow)
        text.replace(catalogText(option), choice);
    return text;
}

} // namespace assay
