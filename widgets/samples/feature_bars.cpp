#include "widgets/samples/feature_bars.h"

#include "engine/audit/result/audit_result.h"
#include "widgets/common/colors.h"

#include <QPainter>
#include <QPalette>

#include <algorithm>

namespace assay {
namespace {

constexpr double kLargestScore = 3.0;

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

} // namespace assay
