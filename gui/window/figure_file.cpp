#include "gui/window/figure_file.h"

#include "engine/io/files/text_encoding.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QFileInfo>
#include <QImage>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>

#include <string>

namespace assay {
namespace {

constexpr int kDotsPerInch = 96; // a logical pixel is a 96th of an inch

QByteArray asSvg(const Figure& figure, FigureCaption caption) {
    QBuffer bytes;
    QSvgGenerator svg;
    const QSizeF size = figureSize(figure, caption);
    svg.setOutputDevice(&bytes);
    svg.setSize(size.toSize());
    svg.setViewBox(QRectF({}, size));
    svg.setResolution(kDotsPerInch);
    svg.setTitle(figure.title);
    svg.setDescription(figure.caption);
    QPainter painter(&svg);
    paintFigure(painter, figure, caption);
    painter.end();
    return bytes.data();
}

QByteArray asPdf(const Figure& figure, FigureCaption caption) {
    QBuffer bytes;
    bytes.open(QIODevice::WriteOnly);
    QPdfWriter pdf(&bytes);
    const QSizeF size = figureSize(figure, caption);
    pdf.setTitle(figure.title);
    pdf.setResolution(kDotsPerInch);
    pdf.setPageMargins({});
    pdf.setPageSize(QPageSize(size / kDotsPerInch, QPageSize::Inch, {}, QPageSize::ExactMatch));
    QPainter painter(&pdf);
    paintFigure(painter, figure, caption);
    painter.end();
    return bytes.data();
}

QString write(const QByteArray& bytes, const QString& file) {
    QSaveFile out(file);
    if (out.open(QIODevice::WriteOnly) && out.write(bytes) == bytes.size() && out.commit())
        return {};
    return QCoreApplication::translate("assay::FigureFile", "%1: expected a place to write a file to, found: %2")
        .arg(file, out.errorString());
}

} // namespace

QImage figureImage(const Figure& figure, FigureCaption caption, int scale) {
    QImage image((figureSize(figure, caption) * scale).toSize(), QImage::Format_RGB32);
    image.fill(Qt::white);
    image.setDotsPerMeterX(static_cast<int>(scale * kDotsPerInch / 0.0254));
    image.setDotsPerMeterY(image.dotsPerMeterX());
    QPainter painter(&image);
    painter.scale(scale, scale);
    paintFigure(painter, figure, caption);
    return image;
}

QString saveFigure(const Figure& figure, FigureCaption caption, int scale, const QString& file) {
    const QString suffix = QFileInfo(file).suffix().toLower();
    if (suffix == QLatin1String("svg"))
        return write(asSvg(figure, caption), file);
    if (suffix == QLatin1String("pdf"))
        return write(asPdf(figure, caption), file);
    if (const bool isPng = suffix == QLatin1String("png");
        isPng || suffix == QLatin1String("jpg") || suffix == QLatin1String("jpeg")) {
        QBuffer pixels;
        pixels.open(QIODevice::WriteOnly);
        figureImage(figure, caption, scale).save(&pixels, isPng ? "PNG" : "JPEG", 95);
        return write(pixels.data(), file);
    }
    return QCoreApplication::translate("assay::FigureFile",
                                       "%1: expected a name that ends with .svg, .pdf, .png or .jpg")
        .arg(file);
}

QString saveFigureData(const Figure& figure, const QString& file) {
    std::string text;
    for (const QStringList& row : figure.data) {
        std::string line;
        for (qsizetype i = 0; i < row.size(); ++i) {
            if (i > 0)
                line += ',';
            appendCsvField(line, row[i].toStdString());
        }
        text += line + '\n';
    }
    return write(QByteArray::fromStdString(text), file);
}

} // namespace assay
