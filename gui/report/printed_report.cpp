#include "gui/report/printed_block.h"

#include "engine/base/job_context.h"

#include <QPagedPaintDevice>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace assay {
namespace {

/// Makes blocks of the elements of a page, in their order.
class ReportSetter {
public:
    ReportSetter(const Paper& paper, std::shared_ptr<const AnchorPages> pages, const JobContext& job)
        : paper_(paper), pages_(std::move(pages)), job_(job) {}

    void set(const PageNode& node);
    PrintedBlocks take() && { return std::move(blocks_); }

private:
    void setHeading(const PageNode& node);
    void setParagraph(const PageNode& node);
    void setContents(const PageNode& nav);
    void setList(const PageNode& list);
    void setPanels(const PageNode& list);
    void setDefinitions(const PageNode& list);
    void setCode(const PageNode& node);
    void append(PrintedBlocks blocks) { std::ranges::move(blocks, std::back_inserter(blocks_)); }
    PrintedBlock& add(PrintedBlock block, double pointsAbove) {
        block.above = pointsAbove * paper_.point;
        return blocks_.emplace_back(std::move(block));
    }

    Paper paper_;
    std::shared_ptr<const AnchorPages> pages_;
    const JobContext& job_;
    PrintedBlocks blocks_;
    bool isModelNext_ = false; ///< the next heading is that of a model
};

TextLook lookOfParagraph(const PageNode& node) {
    TextLook look;
    if (node.hasClass(QStringLiteral("sentence")))
        look.points = 10.5;
    if (node.hasClass(QStringLiteral("muted")))
        look.color = reportColor("muted");
    return look;
}

void ReportSetter::set(const PageNode& node) {
    job_.throwIfStopped();
    const QString& tag = node.tag;
    if (tag.isEmpty() || node.hasClass(QStringLiteral("skip")))
        return;
    if (tag == QLatin1String("h1") || tag == QLatin1String("h2") || tag == QLatin1String("h3"))
        setHeading(node);
    else if (tag == QLatin1String("p"))
        setParagraph(node);
    else if (tag == QLatin1String("nav"))
        setContents(node);
    else if (tag == QLatin1String("table"))
        append(printedTable(paper_, node));
    else if (node.hasClass(QStringLiteral("figures")))
        append(printedFigures(paper_, node));
    else if (node.hasClass(QStringLiteral("gallery")))
        append(printedGallery(paper_, node));
    else if (tag == QLatin1String("ol"))
        setPanels(node);
    else if (tag == QLatin1String("ul"))
        setList(node);
    else if (tag == QLatin1String("dl"))
        setDefinitions(node);
    else if (tag == QLatin1String("pre"))
        setCode(node);
    else {
        isModelNext_ = isModelNext_ || node.hasClass(QStringLiteral("model"));
        for (std::size_t c = 0; c < node.children.size(); ++c) {
            set(node.children[c]);
            // What a gallery is of stands above it, not at the end of the page before.
            if (c + 1 < node.children.size() && node.children[c + 1].hasClass(QStringLiteral("gallery")) &&
                !blocks_.empty())
                blocks_.back().keepsWithNext = true;
        }
    }
}

void ReportSetter::setHeading(const PageNode& node) {
    const bool isTitle = node.tag == QLatin1String("h1");
    const bool isSection = node.tag == QLatin1String("h2");
    const TextLook look{.points = isTitle ? 16.0 : isSection ? 13.0 : 10.5, .bold = true};
    PrintedBlock block = printedParagraph(paper_, look, inlineMarkup(node));
    block.keepsWithNext = true;
    block.anchor = node.attributes.value(QStringLiteral("id"));
    block.beginsPage = std::exchange(isModelNext_, false);
    if (isSection) { // a line above it
        const double padding = 5.0 * paper_.point;
        block.height += padding;
        block.draw = [draw = std::move(block.draw), padding, paper = paper_](QPainter& painter, QPointF at) {
            painter.setPen(QPen(reportColor("rule"), paper.point));
            painter.drawLine(at, at + QPointF(paper.width, 0.0));
            draw(painter, at + QPointF(0.0, padding));
        };
    }
    add(std::move(block), isTitle ? 0.0 : isSection ? 20.0 : 12.0);
}

void ReportSetter::setParagraph(const PageNode& node) {
    PrintedBlock& block = add(printedParagraph(paper_, lookOfParagraph(node), inlineMarkup(node)), 4.0);
    block.keepsWithNext = node.allText().trimmed().endsWith(QLatin1Char(':')); // what it announces
}

void ReportSetter::setContents(const PageNode& nav) {
    const PageNode* list = nav.find(QStringLiteral("ul"));
    if (list == nullptr)
        return;
    double above = 10.0;
    for (const PageNode& item : list->children) {
        const PageNode* link = item.find(QStringLiteral("a"));
        if (link == nullptr)
            continue;
        const double number = 30.0 * paper_.point; // room for the page's
        Paper narrow = paper_;
        narrow.width -= number;
        PrintedBlock block = printedParagraph(narrow, {.points = 9.0}, inlineMarkup(*link));
        block.draw = [draw = std::move(block.draw), paper = paper_, number, pages = pages_,
                      anchor = link->attributes.value(QStringLiteral("href")).mid(1),
                      height = block.height](QPainter& painter, QPointF at) {
            draw(painter, at);
            PrintedText page(paper.device, {.points = 9.0, .align = Qt::AlignRight},
                             QString::number(pages->value(anchor)));
            page.setWidth(number);
            page.draw(painter, at + QPointF(paper.width - number, height - page.height()));
            painter.setPen(QPen(reportColor("rule"), 0.5 * paper.point));
            painter.drawLine(at + QPointF(0.0, height), at + QPointF(paper.width, height));
        };
        add(std::move(block), std::exchange(above, 1.5));
    }
}

void ReportSetter::setList(const PageNode& list) {
    const double indent = 12.0 * paper_.point;
    for (const PageNode& item : list.children) {
        if (item.tag != QLatin1String("li"))
            continue;
        PrintedBlock block = printedParagraph(paper_, {}, inlineMarkup(item), indent);
        block.draw = [draw = std::move(block.draw), paper = paper_](QPainter& painter, QPointF at) {
            PrintedText bullet(paper.device, {}, QStringLiteral("\u2022"));
            bullet.draw(painter, at + QPointF(2.0 * paper.point, 0.0));
            draw(painter, at);
        };
        add(std::move(block), 2.5);
    }
}

/// Verdicts and findings: each on a ground of its own, with a bar that marks the serious ones.
void ReportSetter::setPanels(const PageNode& list) {
    const double padding = 6.0 * paper_.point;
    const double bar = 3.0 * paper_.point;
    for (const PageNode& item : list.children) {
        if (item.tag != QLatin1String("li"))
            continue;
        Paper inner = paper_;
        inner.width -= bar + 2.0 * padding;
        auto lines = std::make_shared<PrintedBlocks>();
        double height = 2.0 * padding;
        for (const PageNode& part : item.children)
            if (!part.tag.isEmpty()) {
                lines->push_back(part.hasClass(QStringLiteral("examples"))
                                     ? printedExamples(inner, part)
                                     : printedParagraph(inner, lookOfParagraph(part), inlineMarkup(part)));
                lines->back().above = lines->size() == 1 ? 0.0 : 2.0 * paper_.point;
                height += lines->back().above + lines->back().height;
            }
        PrintedBlock block;
        block.height = height;
        block.draw = [lines, height, padding, bar, paper = paper_,
                      color = item.hasClass(QStringLiteral("marked")) ? "mark" : "rule"](QPainter& painter,
                                                                                         QPointF at) {
            painter.setPen(QPen(reportColor("rule"), 0.5 * paper.point));
            painter.setBrush(reportColor("panel"));
            painter.drawRect(QRectF(at, QSizeF(paper.width, height)));
            painter.fillRect(QRectF(at, QSizeF(bar, height)), reportColor(color));
            at += QPointF(bar + padding, padding);
            for (const PrintedBlock& line : *lines) {
                at.ry() += line.above;
                line.draw(painter, at);
                at.ry() += line.height;
            }
        };
        add(std::move(block), 6.0);
    }
}

void ReportSetter::setDefinitions(const PageNode& list) {
    for (const PageNode& part : list.children) {
        if (part.tag == QLatin1String("dt"))
            add(printedParagraph(paper_, {.points = 9.0, .bold = true}, inlineMarkup(part)), 6.0).keepsWithNext = true;
        else if (part.tag == QLatin1String("dd"))
            add(printedParagraph(paper_, {.points = 9.0}, inlineMarkup(part)), 1.0);
    }
}

/// Line by line, so that a long command may go on on the next page.
void ReportSetter::setCode(const PageNode& node) {
    const QStringList lines = node.allText().split(QLatin1Char('\n'));
    const double padding = 6.0 * paper_.point;
    for (qsizetype at = 0; at < lines.size(); ++at) {
        const auto text = std::make_shared<PrintedText>(
            PrintedText::plain(paper_.device, {.points = 8.0, .monospace = true}, lines[at]));
        text->setWidth(paper_.width - 2.0 * padding);
        const double top = at == 0 ? padding : 0.0;
        PrintedBlock block;
        block.height = top + text->height() + (at + 1 == lines.size() ? padding : 0.0);
        block.draw = [text, top, padding, height = block.height, paper = paper_](QPainter& painter, QPointF place) {
            painter.fillRect(QRectF(place, QSizeF(paper.width, height)), reportColor("panel"));
            text->draw(painter, place + QPointF(padding, top));
        };
        add(std::move(block), at == 0 ? 4.0 : 0.0);
    }
}

} // namespace

PrintedBlock printedParagraph(const Paper& paper, const TextLook& look, const QString& html, double indent) {
    const auto text = std::make_shared<PrintedText>(paper.device, look, html);
    text->setWidth(paper.width - indent);
    PrintedBlock block;
    block.height = text->height();
    block.draw = [text, indent](QPainter& painter, QPointF at) { text->draw(painter, at + QPointF(indent, 0.0)); };
    return block;
}

PrintedBlocks printedReport(const Paper& paper, const PageNode& body, const std::shared_ptr<const AnchorPages>& pages,
                            const JobContext& job) {
    ReportSetter setter(paper, pages, job);
    setter.set(body);
    return std::move(setter).take();
}

} // namespace assay
