#include "gui/report/printed_block.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <numeric>

namespace assay {
namespace {

/// Letters of a table that fits, and of tables with more columns than that.
constexpr std::array<double, 4> kTablePoints{8.5, 7.75, 7.0, 6.25};
constexpr double kColumnGap = 8.0;      // points
constexpr std::size_t kShortTable = 12; // rows, with that of the headings
constexpr double kRowPadding = 2.2;     // points, above and below

struct PrintedCell {
    std::shared_ptr<PrintedText> text;
    double narrowest = 0.0;
};
using PrintedRow = std::vector<PrintedCell>;

/// The cells of a table in letters of one size. The first row is that of the headings.
struct SetTable {
    std::vector<PrintedRow> rows;
    std::vector<double> narrowest; ///< by column
    std::vector<double> widest;    ///< likewise
};

/// What is known of a value stays in one line.
PageNode withUnbrokenNotes(PageNode cell) {
    for (PageNode& part : cell.children)
        if (part.hasClass(QStringLiteral("below")))
            for (PageNode& text : part.children)
                text.text.replace(QLatin1Char(' '), QChar::Nbsp);
    return cell;
}

PrintedCell setCell(const Paper& paper, const PageNode& cell, double points, bool isHeading) {
    const bool isNumber = cell.hasClass(QStringLiteral("number"));
    const TextLook look{
        .points = points, .bold = cell.tag == QLatin1String("th"), .align = isNumber ? Qt::AlignRight : Qt::AlignLeft};
    const QString markup = inlineMarkup(cell.tag == QLatin1String("td") ? withUnbrokenNotes(cell) : cell);
    PrintedCell set{std::make_shared<PrintedText>(paper.device, look, markup), 0.0};
    // A number is not broken. Long words are: names, paths and digests without any place to break at.
    const double most = paper.width / (isHeading ? 8.0 : 4.0);
    set.narrowest = isNumber && !isHeading ? set.text->widest() : std::min(set.text->narrowest(), most);
    return set;
}

SetTable setTable(const Paper& paper, const PageNode& table, double points) {
    SetTable set;
    for (const char* part : {"thead", "tbody"}) {
        const PageNode* rows = table.find(QLatin1String(part));
        for (const PageNode& row : rows == nullptr ? std::vector<PageNode>() : rows->children) {
            if (row.tag != QLatin1String("tr"))
                continue;
            PrintedRow cells;
            for (const PageNode& cell : row.children)
                if (!cell.tag.isEmpty())
                    cells.push_back(setCell(paper, cell, points, set.rows.empty()));
            set.rows.push_back(std::move(cells));
        }
    }
    const std::size_t columns = set.rows.empty() ? 0 : set.rows.front().size();
    set.narrowest.assign(columns, 0.0);
    set.widest.assign(columns, 0.0);
    for (const PrintedRow& row : set.rows)
        for (std::size_t c = 0; c < std::min(columns, row.size()); ++c) {
            set.narrowest[c] = std::max(set.narrowest[c], row[c].narrowest);
            set.widest[c] = std::max(set.widest[c], row[c].text->widest());
        }
    return set;
}

double sumOf(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

/// Cuts the widest columns down to one width, so that all of them fit.
std::vector<double> cutDown(std::vector<double> widths, double room) {
    std::vector<double> sorted = widths;
    std::sort(sorted.begin(), sorted.end());
    double left = room;
    for (std::size_t c = 0; c < sorted.size(); ++c) {
        const double even = left / static_cast<double>(sorted.size() - c);
        if (sorted[c] > even) {
            for (double& width : widths)
                width = std::min(width, even);
            break;
        }
        left -= sorted[c];
    }
    return widths;
}

/// As wide as the cells want where there is room; else what is missing is taken from those that want most.
std::vector<double> columnWidths(const SetTable& set, double room) {
    const double least = sumOf(set.narrowest);
    const double wanted = sumOf(set.widest);
    if (wanted <= room)
        return set.widest;
    if (least > room)
        return cutDown(set.narrowest, room);
    std::vector<double> widths = set.narrowest;
    for (std::size_t c = 0; c < widths.size(); ++c)
        widths[c] += (room - least) * (set.widest[c] - set.narrowest[c]) / (wanted - least);
    return widths;
}

PrintedBlock rowBlock(const Paper& paper, PrintedRow row, const std::vector<double>& widths, bool isHeading) {
    PrintedBlock block;
    for (std::size_t c = 0; c < std::min(row.size(), widths.size()); ++c) {
        row[c].text->setWidth(widths[c]);
        block.height = std::max(block.height, row[c].text->height());
    }
    const double padding = kRowPadding * paper.point;
    const double gap = kColumnGap * paper.point;
    block.height += 2.0 * padding;
    block.draw = [row = std::move(row), widths, padding, gap, isHeading, height = block.height,
                  point = paper.point](QPainter& painter, QPointF at) {
        double x = at.x();
        for (std::size_t c = 0; c < std::min(row.size(), widths.size()); ++c) {
            row[c].text->draw(painter, {x, at.y() + padding});
            x += widths[c] + gap;
        }
        painter.setPen(QPen(reportColor(isHeading ? "muted" : "rule"), (isHeading ? 1.0 : 0.5) * point));
        const double bottom = at.y() + height;
        painter.drawLine(QPointF(at.x(), bottom), QPointF(x - gap, bottom));
    };
    return block;
}

} // namespace

PrintedBlocks printedTable(const Paper& paper, const PageNode& table) {
    PrintedBlocks blocks;
    SetTable set;
    double room = 0.0;
    for (const double points : kTablePoints) {
        set = setTable(paper, table, points);
        room = paper.width - kColumnGap * paper.point * (static_cast<double>(set.narrowest.size()) - 1.0);
        if (sumOf(set.narrowest) <= room)
            break;
    }
    if (set.rows.empty())
        return blocks;
    if (const PageNode* caption = table.find(QStringLiteral("caption"))) {
        blocks.push_back(
            printedParagraph(paper, {.points = 8.5, .color = reportColor("muted")}, inlineMarkup(*caption)));
        blocks.back().above = 8.0 * paper.point;
        blocks.back().keepsWithNext = true;
    }
    const std::vector<double> widths = columnWidths(set, room);
    const auto heading = std::make_shared<PrintedBlock>(rowBlock(paper, set.rows.front(), widths, true));
    blocks.push_back(*heading);
    blocks.back().keepsWithNext = true;
    for (std::size_t r = 1; r < set.rows.size(); ++r) {
        blocks.push_back(rowBlock(paper, set.rows[r], widths, false));
        blocks.back().repeated = heading;
        // A short table stays whole; of a long one neither the first nor the last row stands on a page by itself.
        const bool isLast = r + 1 == set.rows.size();
        blocks.back().keepsWithNext = !isLast && (set.rows.size() <= kShortTable || r == 1 || r + 2 == set.rows.size());
    }
    return blocks;
}

} // namespace assay
