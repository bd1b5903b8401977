#include "gui/report/print_markup.h"

#include "engine/base/error.h"
#include "gui/report/report_objects.h"

#include <QDomDocument>
#include <QTextStream>

#include <vector>

namespace assay {
namespace {

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
