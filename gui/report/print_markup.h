#pragma once

#include <QColor>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QTextObjectInterface>

#include <memory>
#include <string>
#include <vector>

class QDomElement;

namespace assay {

struct ReportChart;

/// A light colour of the report's style sheet, by the name of its variable.
QColor reportColor(const char* name);

/// Draws the images of a printed report: charts as vectors with text, and pictures of samples with square pixels.
class ReportObjects : public QObject, public QTextObjectInterface {
    Q_OBJECT
    Q_INTERFACES(QTextObjectInterface)

public:
    /// @param point dots of the paper in a typographic point @param chartWidth in dots
    ReportObjects(double point, double chartWidth);
    ~ReportObjects() override;

    /// Takes the SVG of a chart out of a report. @return the name of the image that stands for it
    QString addChart(QDomElement svg);

    QSizeF intrinsicSize(QTextDocument* document, int position, const QTextFormat& format) override;
    void drawObject(QPainter* painter, const QRectF& box, QTextDocument* document, int position,
                    const QTextFormat& format) override;

private:
    ReportChart* chartOf(const QString& name) const; ///< null for a picture

    double point_;
    double chartWidth_;
    std::vector<std::unique_ptr<ReportChart>> charts_;
};

/// A report in the part of HTML that QTextDocument lays out: what stands side by side is a table, a chart an image.
struct PrintMarkup {
    QString html;
    QStringList contents; ///< anchors of the table of contents, which is the first table; its page numbers are empty
};

/// @param report by htmlReport() @param objects gets the charts @throws Error{BadInput} where it is no well-formed XML
PrintMarkup printMarkup(const std::string& report, ReportObjects& objects);

} // namespace assay
