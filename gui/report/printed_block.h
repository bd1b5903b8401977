#pragma once

#include "gui/report/page_tree.h"
#include "gui/report/printed_text.h"

#include <QHash>
#include <QPointF>
#include <QString>

#include <functional>
#include <memory>
#include <vector>

class QPagedPaintDevice;
class QPainter;

namespace assay {

class JobContext;

/// The printed page. Lengths are in its dots.
struct Paper {
    QPagedPaintDevice* device = nullptr;
    double width = 0.0; ///< of the text
    double point = 1.0; ///< dots in a typographic point
};

/// A part of a report that is kept on one page unless it is higher than that.
struct PrintedBlock {
    double height = 0.0;
    double above = 0.0;         ///< room before it, unless it begins a page
    bool keepsWithNext = false; ///< not the last one of a page
    bool beginsPage = false;
    QString anchor = {}; ///< by which the contents name its page; or empty
    std::function<void(QPainter& painter, QPointF topLeft)> draw = {};
    /// Repeated above it where it begins a page: the heading row of its table. Or null.
    std::shared_ptr<const PrintedBlock> repeated = {};
};

using PrintedBlocks = std::vector<PrintedBlock>;
/// On which page an anchor is, from 1 on. Known once all blocks have their place, before any is drawn.
using AnchorPages = QHash<QString, int>;

/// Text across the whole width, or from `indent` on.
PrintedBlock printedParagraph(const Paper& paper, const TextLook& look, const QString& html, double indent = 0.0);

/// A table as rows: its caption, its headings, and one block for each row. It fits the width whatever it holds: columns
/// narrow, then letters get smaller, then words are broken.
PrintedBlocks printedTable(const Paper& paper, const PageNode& table);

/// Charts, two beside each other. @param figures an element whose children are figures, each an SVG with a caption
PrintedBlocks printedFigures(const Paper& paper, const PageNode& figures);

/// Samples with their nearest neighbours, three beside each other.
PrintedBlocks printedGallery(const Paper& paper, const PageNode& gallery);

/// The samples that stand for a finding, beside each other, each above the number of samples like it.
PrintedBlock printedExamples(const Paper& paper, const PageNode& examples);

/// The whole report. @param pages for the table of contents; filled before anything is drawn @throws Cancelled
PrintedBlocks printedReport(const Paper& paper, const PageNode& body, const std::shared_ptr<const AnchorPages>& pages,
                            const JobContext& job);

} // namespace assay
