#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace assay {

struct RealAnalysis;
struct PairTables;

/// Which way a number is better.
enum class Direction { Higher, Lower, Neutral };

/// Whose samples a per-sample column describes.
enum class Side { Synthetic, Real };

/// How a number is written for people: a share in [0, 1], a length in the embedding's unit, nats, a count, yes/no,
/// or the row of a sample.
enum class Unit { Share, Nats, Distance, Count, YesNo, Row, Ratio };

/// The finished passes that metrics read.
struct MetricInputs {
    const RealAnalysis& real;
    const PairTables& pair;
    std::size_t k;
};

/// One per-sample score. M values for Side::Synthetic, N for Side::Real.
struct Column {
    std::string_view id;    ///< in CSV, JSON and rules
    std::string_view title; ///< for people: "Fidelity"
    Unit unit;
    Direction better;
    Side side;
    std::string_view definition; ///< one or two plain sentences, shown as tooltip
    std::string_view source;     ///< paper
    std::vector<double> (*compute)(const MetricInputs&);
};

/// One aggregate of a model.
struct Metric {
    std::string_view id;    ///< as in docs/metrics.md, JSON and reports
    std::string_view title; ///< for people: "Clipped density"
    Unit unit;
    Direction better;
    std::string_view definition;
    std::string_view source;
    double (*compute)(const MetricInputs&);
};

/// Every aggregate and every per-sample column. Tables, menus, rules, exports, command line and reports iterate these.
std::span<const Metric> metricCatalog();
std::span<const Column> columnCatalog();

/// The row with this id, or null.
const Metric* findMetric(std::string_view id);
const Column* findColumn(std::string_view id);

} // namespace assay
