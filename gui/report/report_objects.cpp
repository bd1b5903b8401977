#include "gui/report/report_objects.h"

#include "engine/report/parts/report_style.h"

#include <QDomDocument>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <QSvgRenderer>
#include <QTextFormat>
#include <QTextStream>

#include <algorithm>

namespace assay {

struct ReportChart {
    /// QtSvg would draw the outlines of a word: nothing that can be selected.
    struct Word {
        QString text;
        QPointF at;    ///< in the chart's own units: where its line begins, is in the middle or ends
        double before; ///< the share of the line that is before that place
        bool isLabel;
        bool isTick;
        bool isUpright; ///< read from below
    };

    QSvgRenderer lines;
    std::vector<Word> words;
};

namespace {

constexpr double kPixel = 0.6;     // points of a pixel of the page: what three cards beside each other have room for
constexpr double kSampleGap = 2.0; // points, after a picture
constexpr QLatin1String kChartName("chart:");

ReportChart::Word chartWord(const QDomElement& element) {
    const QStringList classes = element.attribute(QStringLiteral("class")).split(QLatin1Char(' '));
    return {
        .text = element.text(),
        .at = {element.attribute(QStringLiteral("x")).toDouble(), element.attribute(QStringLiteral("y")).toDouble()},
        .before = classes.contains(QLatin1String("middle")) ? 0.5
                  : classes.contains(QLatin1String("end"))  ? 1.0
                                                            : 0.0,
        .isLabel = classes.contains(QLatin1String("label")),
        .isTick = classes.contains(QLatin1String("tick")),
        .isUpright = element.hasAttribute(QStringLiteral("transform"))};
}

void drawWord(QPainter& painter, const ReportChart::Word& word, double unit) {
    QFont font(QStringLiteral("DejaVu Sans"));
    font.setPixelSize(std::max(1, static_cast<int>((word.isTick ? 11.0 : 12.0) * unit)));
    font.setBold(word.isLabel);
    font.setHintingPreference(QFont::PreferNoHinting);
    const QPointF start(-word.before * QFontMetricsF(font, painter.device()).horizontalAdvance(word.text), 0.0);
    painter.save();
    painter.translate(word.at * unit);
    if (word.isUpright)
        painter.rotate(-90.0);
    if (word.isLabel) { // readable over lines too
        QPainterPath outlines;
        outlines.addText(start, font, word.text);
        constexpr double kHalo = 3.0;
        painter.strokePath(outlines,
                           QPen(reportColor("page"), kHalo * unit, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    }
    painter.setFont(font);
    painter.setPen(reportColor(word.isTick ? "muted" : "text"));
    painter.drawText(start, word.text);
    painter.restore();
}

/// Pixels stay squares: viewers and printers would blur a small picture that they make larger.
QImage enlarged(const QImage& picture) {
    constexpr int kEnough = 128;
    const int factor = std::max(1, kEnough / std::max({1, picture.width(), picture.height()}));
    return picture.scaled(picture.size() * factor, Qt::IgnoreAspectRatio, Qt::FastTransformation);
}

} // namespace

QColor reportColor(const char* name) {
    return QColor(QString::fromStdString(report::lightColor(name)));
}

ReportObjects::ReportObjects(double point, double chartWidth) : point_(point), chartWidth_(chartWidth) {}

ReportObjects::~ReportObjects() = default;

ReportChart* ReportObjects::chartOf(const QString& name) const {
    return name.startsWith(kChartName) ? charts_.at(name.mid(kChartName.size()).toULongLong()).get() : nullptr;
}

QString ReportObjects::addChart(QDomElement svg) {
    auto chart = std::make_unique<ReportChart>();
    for (QDomElement text = svg.firstChildElement(QStringLiteral("text")); !text.isNull();
         text = svg.firstChildElement(QStringLiteral("text"))) {
        chart->words.push_back(chartWord(text));
        svg.removeChild(text);
    }
    svg.setAttribute(QStringLiteral("xmlns"), QStringLiteral("http://www.w3.org/2000/svg"));
    QDomElement style = svg.ownerDocument().createElement(QStringLiteral("style"));
    style.appendChild(svg.ownerDocument().createTextNode(QString::fromStdString(report::lightChartStyle())));
    svg.insertBefore(style, svg.firstChild());
    QString markup;
    QTextStream stream(&markup);
    svg.save(stream, -1);
    chart->lines.load(markup.toUtf8());
    svg.parentNode().removeChild(svg);
    charts_.push_back(std::move(chart));
    return kChartName + QString::number(charts_.size() - 1);
}

QSizeF ReportObjects::intrinsicSize(QTextDocument*, int, const QTextFormat& format) {
    const QTextImageFormat image = format.toImageFormat();
    if (ReportChart* chart = chartOf(image.name())) {
        const QSizeF size = chart->lines.viewBoxF().size();
        return size * (chartWidth_ / std::max(1.0, size.width()));
    }
    return QSizeF(image.width(), image.height()) * (kPixel * point_) + QSizeF(kSampleGap * point_, 0.0);
}

void ReportObjects::drawObject(QPainter* painter, const QRectF& box, QTextDocument*, int, const QTextFormat& format) {
    const QString name = format.toImageFormat().name();
    painter->save();
    if (ReportChart* chart = chartOf(name)) {
        chart->lines.render(painter, box);
        painter->translate(box.topLeft());
        for (const ReportChart::Word& word : chart->words)
            drawWord(*painter, word, box.width() / chart->lines.viewBoxF().width());
    } else {
        const QRectF picture = box.adjusted(0.0, 0.0, -kSampleGap * point_, 0.0);
        const QByteArray file = QByteArray::fromBase64(name.mid(name.indexOf(QLatin1Char(',')) + 1).toLatin1());
        painter->drawImage(picture, enlarged(QImage::fromData(file)));
        painter->setPen(QPen(reportColor("rule"), 0.5 * point_));
        painter->drawRect(picture);
    }
    painter->restore();
}

} // namespace assay
