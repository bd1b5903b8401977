#include "gui/report/page_tree.h"

#include "engine/base/error.h"

#include <QXmlStreamReader>
#include <QXmlStreamWriter>

namespace assay {
namespace {

/// Reads what is in the element that the reader stands in, up to its end.
PageNode readNode(QXmlStreamReader& reader) {
    PageNode node;
    node.tag = reader.name().toString();
    for (const QXmlStreamAttribute& attribute : reader.attributes())
        node.attributes.insert(attribute.name().toString(), attribute.value().toString());
    while (!reader.atEnd()) {
        const QXmlStreamReader::TokenType token = reader.readNext();
        if (token == QXmlStreamReader::EndElement)
            break;
        if (token == QXmlStreamReader::StartElement) {
            node.children.push_back(readNode(reader));
        } else if (token == QXmlStreamReader::Characters) {
            PageNode text;
            text.text = reader.text().toString();
            node.children.push_back(std::move(text));
        }
    }
    return node;
}

void writeNode(QXmlStreamWriter& writer, const PageNode& node) {
    if (node.tag.isEmpty()) {
        writer.writeCharacters(node.text);
        return;
    }
    // Elements of a drawing that are for screen readers: nothing that is seen.
    if (node.tag == QLatin1String("title") || node.tag == QLatin1String("desc"))
        return;
    writer.writeStartElement(node.tag);
    for (auto at = node.attributes.cbegin(); at != node.attributes.cend(); ++at)
        writer.writeAttribute(at.key(), at.value());
    for (const PageNode& child : node.children)
        writeNode(writer, child);
    writer.writeEndElement();
}

} // namespace

bool PageNode::hasClass(const QString& name) const {
    return attributes.value(QStringLiteral("class")).split(QLatin1Char(' ')).contains(name);
}

const PageNode* PageNode::find(const QString& wanted) const {
    for (const PageNode& child : children) {
        if (child.tag == wanted)
            return &child;
        if (const PageNode* found = child.find(wanted))
            return found;
    }
    return nullptr;
}

QString PageNode::allText() const {
    QString all = text;
    for (const PageNode& child : children)
        all += child.allText();
    return all;
}

PageNode parseReport(const std::string& html) {
    QXmlStreamReader reader(QString::fromStdString(html));
    while (!reader.atEnd() &&
           !(reader.readNext() == QXmlStreamReader::StartElement && reader.name() == QLatin1String("body")))
        ;
    PageNode body;
    if (!reader.atEnd())
        body = readNode(reader);
    while (!reader.atEnd())
        reader.readNext();
    if (reader.hasError() || body.tag.isEmpty())
        throw Error(ErrorKind::BadInput, "report: expected well-formed HTML, found at line " +
                                             std::to_string(reader.lineNumber()) + ": " +
                                             reader.errorString().toStdString());
    return body;
}

QString markupOf(const PageNode& node) {
    QString markup;
    QXmlStreamWriter writer(&markup);
    writeNode(writer, node);
    return markup;
}

} // namespace assay
