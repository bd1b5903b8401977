#pragma once

#include "gui/report/page_tree.h"

#include <QColor>
#include <QPointF>
#include <QTextDocument>

#include <memory>
#include <vector>

class QPagedPaintDevice;
class QPainter;

namespace assay {

/// How a piece of text looks on paper. Always light, whatever the window looks like.
struct TextLook {
    double points = 9.5;
    bool bold = false;
    bool monospace = false;
    QColor color = {}; ///< invalid: the report's text colour
    Qt::Alignment align = Qt::AlignLeft;
};

/// A light colour of the report's style sheet, by the name of its variable.
QColor reportColor(const char* name);

/// Text that is set in lines of some width. Lengths are in dots of the device that it is printed on.
class PrintedText {
public:
    /// @param device that is printed on; outlives this
    PrintedText(QPagedPaintDevice* device, const TextLook& look, const QString& html);
    /// The same of text that is no markup, with its line ends.
    static PrintedText plain(QPagedPaintDevice* device, const TextLook& look, const QString& text);

    /// The width without any line break, and that of the longest word.
    double widest() const;
    double narrowest() const;
    void setWidth(double width);
    double height() const;
    void draw(QPainter& painter, QPointF topLeft) const;

private:
    PrintedText(QPagedPaintDevice* device, const TextLook& look);
    void finish();

    std::unique_ptr<QTextDocument> document_;
    QPagedPaintDevice* device_;
    QColor color_;
};

/// Content of an element, as markup for PrintedText.
QString inlineMarkup(const PageNode& node);

} // namespace assay
