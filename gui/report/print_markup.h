#pragma once

#include <QString>
#include <QStringList>

#include <string>

namespace assay {

class ReportObjects;

/// A report in the part of HTML that QTextDocument lays out: what stands side by side is a table, a chart an image.
struct PrintMarkup {
    QString html;
    QStringList contents; ///< anchors of the table of contents, which is the first table; its page numbers are empty
};

/// @param report by htmlReport() @param objects gets the charts @throws Error{BadInput} where it is no well-formed XML
PrintMarkup printMarkup(const std::string& report, ReportObjects& objects);

} // namespace assay
