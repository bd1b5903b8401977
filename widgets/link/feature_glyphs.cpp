#include "widgets/link/feature_glyphs.h"

#include "engine/audit/result/audit_result.h"
#include "widgets/common/colors.h"
#include "widgets/common/number_format.h"
#include "widgets/text/names.h"

#include <QPainter>
#include <QPalette>

#include <algorithm>

namespace assay {
namespace {

constexpr double kLargestScore = 3.0;
constexpr std::size_t kMaxValues = 3; // of a row

} // namespace

std::vector<double> BarFeatures::scoresOf(const AuditResult& audit, SampleId sample) const {
    const std::span<const float> values = valuesOf(audit.setOf(sample.set), sample.row);
    std::vector<double> scores;
    for (const std::uint32_t feature : features)
        if (feature < values.size())
            scores.push_back(standards.score(static_cast<double>(values[feature]), feature));
    return scores;
}

void paintFeatureBars(QPainter& painter, const QRect& area, const std::vector<double>& scores,
                      const std::vector<double>& reference, const QPalette& palette, const QColor& color) {
    painter.save();
    painter.fillRect(area, palette.color(QPalette::Base));
    painter.setPen(QPen(colors::gridLine(palette), 1));
    const double middle = area.top() + area.height() / 2.0;
    painter.drawLine(QPointF(area.left(), middle), QPointF(area.right(), middle));
    const double step = scores.empty() ? 0.0 : static_cast<double>(area.width()) / static_cast<double>(scores.size());
    const double width = std::max(1.0, step - (step >= 4.0 ? 2.0 : 0.0));
    const auto heightOf = [&](double score) {
        return std::clamp(score / kLargestScore, -1.0, 1.0) * (area.height() / 2.0 - 2.0);
    };
    for (std::size_t i = 0; i < scores.size(); ++i) {
        const double left = area.left() + step * static_cast<double>(i) + (step - width) / 2.0;
        const double height = heightOf(scores[i]);
        painter.fillRect(QRectF(left, height > 0.0 ? middle - height : middle, width, std::max(1.0, std::abs(height))),
                         color);
        if (i >= reference.size())
            continue;
        const double mark = middle - heightOf(reference[i]);
        painter.setPen(QPen(palette.color(QPalette::Text), 1.5));
        painter.drawLine(QPointF(left - 0.5, mark), QPointF(left + width + 0.5, mark));
    }
    painter.restore();
}

bool isTable(const AuditResult& audit) {
    const ValuePreparation& prepared = *audit.real->set->preparation();
    return prepared.isTable || !prepared.featureNames.empty();
}

TableTile tableTile(const AuditResult& audit, const FeatureStandards& standards, SampleId sample) {
    const EmbeddingSet& set = audit.setOf(sample.set);
    TableTile tile;
    if (set.hasIds())
        tile.id = QString::fromStdString(set.idText(sample.row));
    for (const FeatureContrast& one : unusualFeatures(audit, standards, sample)) {
        if (tile.values.size() == kMaxValues)
            break;
        const QString name =
            one.column.empty() ? featureName(*audit.real->set, one.feature) : QString::fromStdString(one.column);
        tile.values.emplace_back(name, one.firstText.empty() ? formatFileValue(one.first)
                                                             : QString::fromStdString(one.firstText));
    }
    return tile;
}

void paintTableTile(QPainter& painter, const QRect& area, const TableTile& tile, const QPalette& palette) {
    painter.save();
    painter.fillRect(area, palette.color(QPalette::AlternateBase));
    const int room = area.width() - 4;
    const int idLines = tile.id.isEmpty() ? 0 : 1;
    const auto count = static_cast<int>(tile.values.size());
    QFont font = painter.font();
    font.setPixelSize(std::clamp(area.height() / 7, 8, 14));
    const auto fits = [&](const auto& value) {
        return QFontMetrics(font).horizontalAdvance(value.first + QStringLiteral("  ") + value.second) <= room;
    };
    // A name has a line of its own where it would be cut off beside its value.
    const int linesOfValue = std::ranges::all_of(tile.values, fits) ? 1 : 2;
    font.setPixelSize(std::clamp(area.height() / (linesOfValue * count + idLines + 2), 8, font.pixelSize()));
    painter.setFont(font);
    const QFontMetrics metrics(font);
    const int lines = std::min(linesOfValue * count + idLines, area.height() / metrics.height());
    QRect line(area.left() + 2, area.top() + (area.height() - lines * metrics.height()) / 2, room, metrics.height());
    const auto write = [&](const QString& text, Qt::Alignment alignment, const QColor& color) {
        painter.setPen(color);
        painter.drawText(line, alignment | Qt::AlignVCenter, metrics.elidedText(text, Qt::ElideRight, room));
    };
    const QColor plain = palette.color(QPalette::Text);
    const QColor muted = colors::mutedText(palette);
    if (idLines > 0) {
        write(tile.id, Qt::AlignHCenter, plain);
        line.translate(0, line.height());
    }
    for (int at = 0; at < (lines - idLines) / linesOfValue; ++at) {
        const auto& [name, value] = tile.values[static_cast<std::size_t>(at)];
        write(name, Qt::AlignLeft, muted);
        if (linesOfValue == 2)
            line.translate(0, line.height());
        write(value, Qt::AlignRight, plain);
        line.translate(0, line.height());
    }
    painter.restore();
}

} // namespace assay
