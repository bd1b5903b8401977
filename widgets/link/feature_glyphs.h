#pragma once

#include "engine/data/sample_set.h"
#include "engine/report/scores/sample_comparison.h"

#include <QColor>
#include <QString>

#include <cstdint>
#include <optional>
#include <utility>
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

/// A row of a table in place of a picture: its id, if the table has ids, and its most unusual values with the names of
/// their columns.
struct TableTile {
    QString id{};                                      ///< empty where rows have numbers only
    std::vector<std::pair<QString, QString>> values{}; ///< column and value, the most unusual first
};

/// Whether samples of an audit are rows of a table.
bool isTable(const AuditResult& audit);
/// @param standards of the audit's real set
TableTile tableTile(const AuditResult& audit, const FeatureStandards& standards, SampleId sample);
/// As many lines as there is room for.
void paintTableTile(QPainter& painter, const QRect& area, const TableTile& tile, const QPalette& palette);

} // namespace assay
