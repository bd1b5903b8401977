#pragma once

#include <QHash>
#include <QString>

#include <string>
#include <vector>

namespace assay {

/// An element of a report's HTML, or a piece of text in it.
struct PageNode {
    QString tag;  ///< empty: a piece of text
    QString text; ///< of a piece of text
    QHash<QString, QString> attributes;
    std::vector<PageNode> children;

    /// Whether the class attribute names it.
    bool hasClass(const QString& name) const;
    /// The first descendant with this tag, in the order of the page; null for none.
    const PageNode* find(const QString& wanted) const;
    /// All text in it, with white space as it stands.
    QString allText() const;
};

/// The body of a page that htmlReport() made. @throws Error{BadInput} where it is no well-formed XML
PageNode parseReport(const std::string& html);

/// The element as markup again, with all that is in it but titles and descriptions of drawings.
QString markupOf(const PageNode& node);

} // namespace assay
