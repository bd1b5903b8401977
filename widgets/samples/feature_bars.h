#pragma once

#include "engine/data/sample_id.h"
#include "engine/report/scores/sample_comparison.h"

#include <QColor>

#include <cstdint>
#include <optional>
#include <vector>

class QPainter;
class QPalette;
class QRect;

namespace assay {

struct AuditResult;

/// A few features by which rows without pictures are drawn as small bars, and the row that others are compared with.
struct BarFeatures {
    std::vector<std::uint32_t> features; ///< columns of the embedding, from the left
    FeatureStandards standards;
    std::vector<double> reference; ///< standard scores of the compared row, one per feature

    /// Standard scores of a sample, one per feature; empty if its row is not in memory.
    std::vector<double> scoresOf(const AuditResult& audit, SampleId sample) const;
};

/// Paints one bar per feature, up for values above the real set's mean and down for those below, to three standard
/// deviations at most; a line across each bar marks the compared row.
/// @param scores, reference standard scores; may be infinite, for constant features
void paintFeatureBars(QPainter& painter, const QRect& area, const std::vector<double>& scores,
                      const std::vector<double>& reference, const QPalette& palette, const QColor& color);

} // namespace assay
