#include "gui/report/print_markup.h"

#include "engine/base/error.h"
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

using Elements = std::vector<QDomElement>;

Elements childrenOf(const QDomElement& parent) {
    Elements children;
    for (QDomElement child = parent.firstChildElement(); !child.isNull(); child = child.nextSiblingElement())
        children.push_back(child);
    return children;
}

bool hasClass(const QDomElement& element, const char* name) {
    return element.attribute(QStringLiteral("class")).split(QLatin1Char(' ')).contains(QLatin1String(name));
}

void rename(QDomElement element, const char* tag, const char* style) {
    element.setTagName(QLatin1String(tag));
    element.setAttribute(QStringLiteral("class"), QLatin1String(style));
}

QDomElement appended(QDomElement parent, const char* tag, const char* style, const QString& text = {}) {
    QDomElement child = parent.ownerDocument().createElement(QLatin1String(tag));
    rename(child, tag, style);
    child.appendChild(parent.ownerDocument().createTextNode(text));
    parent.appendChild(child);
    return child;
}

void setWidth(QDomElement element, std::size_t percent) {
    element.setAttribute(QStringLiteral("width"), QStringLiteral("%1%").arg(percent));
}

/// The row of a new table. Rows that stay whole are tables of their own: Qt breaks pages within the rows of a table.
QDomElement appendedRow(const QDomElement& parent, const char* style) {
    const QDomElement table = appended(parent, "table", style);
    setWidth(table, 100);
    return appended(table, "tr", style);
}

/// Sets the children of an element side by side, in rows of as many columns.
void makeRows(const QDomElement& list, const char* style, std::size_t columns) {
    const Elements items = childrenOf(list);
    QDomElement row;
    for (std::size_t at = 0; at < items.size() || at % columns != 0; ++at) {
        if (at % columns == 0)
            row = appendedRow(list, style);
        else
            appended(row, "td", "gap");
        QDomElement cell = at < items.size() ? row.appendChild(items[at]).toElement() : appended(row, "td", "gap");
        if (at < items.size())
            rename(cell, "td", style);
        setWidth(cell, 100 / columns);
    }
    rename(list, "div", style);
}

/// Verdicts and findings: each on a ground of its own, with a bar that marks the serious ones.
void makePanels(const QDomElement& list) {
    for (const QDomElement& item : childrenOf(list)) {
        const char* style = hasClass(item, "marked") ? "panel marked" : "panel";
        appendedRow(list, "panel").appendChild(item);
        rename(item, "td", style);
    }
    rename(list, "div", "panels");
}

void makeExamples(const QDomElement& list) {
    const Elements items = childrenOf(list);
    QDomElement row = appended(list, "tr", "examples");
    for (const QDomElement& item : items)
        rename(row.appendChild(item).toElement(), "td", "examples");
    rename(list, "table", "examples");
}

/// Two charts with their captions below them, or one with its caption at its side.
void makeFigures(const QDomElement& figures) {
    const Elements all = childrenOf(figures);
    for (const QDomElement& figure : all)
        rename(figure.firstChildElement(QStringLiteral("figcaption")), "p", "figures");
    if (all.size() % 2 == 1)
        appended(figures, "td", "figures").appendChild(all.back().firstChildElement(QStringLiteral("p")));
    makeRows(figures, "figures", 2);
}

QStringList makeContents(const QDomElement& navigation) {
    QStringList anchors;
    const QDomElement list = navigation.firstChildElement();
    for (const QDomElement& item : childrenOf(list)) {
        QDomElement link = item.firstChildElement();
        anchors.push_back(link.attribute(QStringLiteral("href")).mid(1));
        rename(link, "td", "contents");
        rename(item, "tr", "contents");
        setWidth(appended(item, "td", "number"), 10);
    }
    rename(list, "table", "contents");
    setWidth(list, 100);
    rename(navigation, "div", "contents");
    return anchors;
}

void makeCode(const QDomElement& code) {
    const QStringList lines = code.text().trimmed().split(QLatin1Char('\n'));
    code.toElement().removeChild(code.firstChild());
    const QDomElement cell = appended(appendedRow(code, "code"), "td", "code");
    for (const QString& line : lines)
        appended(cell, "p", "code", line);
    rename(code, "div", "code");
}

void keepOnOneLine(const QDomNode& node) {
    for (QDomNode child = node.firstChild(); !child.isNull(); child = child.nextSibling()) {
        if (child.isText())
            child.setNodeValue(child.nodeValue().trimmed().replace(QLatin1Char(' '), QChar::Nbsp));
        keepOnOneLine(child);
    }
}

void change(QDomElement element, ReportObjects& objects, QStringList& contents) {
    const QString tag = element.tagName();
    const QString address = element.attribute(QStringLiteral("href"));
    if (tag == QLatin1String("nav"))
        contents = makeContents(element);
    for (const QDomElement& child : childrenOf(element))
        change(child, objects, contents);
    if (hasClass(element, "skip"))
        element.parentNode().removeChild(element);
    else if (tag == QLatin1String("svg")) {
        const QDomElement figure = element.parentNode().toElement();
        QDomElement image = appended(figure, "img", "chart");
        figure.toElement().insertBefore(image, element);
        image.setAttribute(QStringLiteral("src"), objects.addChart(element));
    } else if (tag == QLatin1String("pre"))
        makeCode(element);
    else if (tag == QLatin1String("h1") || tag == QLatin1String("h2") || tag == QLatin1String("h3"))
        rename(element, "p", tag.toLatin1().constData()); // Qt sets headings in sizes of its own
    else if (tag == QLatin1String("caption")) {
        const QDomNode table = element.parentNode();
        table.parentNode().insertBefore(element, table);
        rename(element, "p", "caption");
    } else if (tag == QLatin1String("td") && hasClass(element, "number"))
        keepOnOneLine(element);
    else if (address.startsWith(QLatin1Char('#')))
        element.removeAttribute(QStringLiteral("href"));
    else if (!address.isEmpty()) // leads out of the report: on paper nobody can follow what is not written
        appended(element, "span", "muted", QLatin1Char(' ') + address);
    else if (hasClass(element, "tile")) {
        keepOnOneLine(element);
        element.parentNode().insertAfter(element.ownerDocument().createTextNode(QStringLiteral(" ")), element);
    } else if (hasClass(element, "below"))
        rename(element, "p", "below");
    else if (hasClass(element, "pictures"))
        rename(element, "p", "pictures");
    else if (hasClass(element, "nearest")) { // apart from the sample that they are nearest to
        element.insertBefore(element.ownerDocument().createTextNode(QString(3, QChar::Nbsp)), element.firstChild());
        rename(element, "span", "nearest");
    } else if (hasClass(element, "figures"))
        makeFigures(element);
    else if (hasClass(element, "gallery"))
        makeRows(element, "gallery", 3);
    else if (hasClass(element, "examples"))
        makeExamples(element);
    else if (hasClass(element, "verdicts") || hasClass(element, "findings"))
        makePanels(element);
    else if (hasClass(element, "model"))
        rename(element.firstChildElement(), "p", "h2 new-page");
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

PrintMarkup printMarkup(const std::string& report, ReportObjects& objects) {
    QDomDocument document;
    QString problem;
    int line = 0;
    if (!document.setContent(QByteArray::fromStdString(report), false, &problem, &line))
        throw Error(ErrorKind::BadInput, "report: expected well-formed HTML, found at line " + std::to_string(line) +
                                             ": " + problem.toStdString());
    PrintMarkup markup;
    const QDomElement body = document.documentElement().firstChildElement(QStringLiteral("body"));
    change(body, objects, markup.contents);
    const QDomNodeList tables = body.elementsByTagName(QStringLiteral("table"));
    for (int at = 0; at < tables.size(); ++at)
        tables.at(at).toElement().setAttribute(QStringLiteral("cellspacing"), QStringLiteral("0"));
    QTextStream stream(&markup.html);
    body.save(stream, -1);
    return markup;
}

} // namespace assay
