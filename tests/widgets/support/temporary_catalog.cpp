// Stands in for the catalogue until it links; to be dropped then.
#include "engine/audit/audit_result.h"
#include "engine/job/error.h"
#include "engine/metrics/catalog.h"

#include <algorithm>
#include <array>

namespace assay {
namespace {
constexpr Side S = Side::Synthetic;
constexpr Side R = Side::Real;
const std::array<Column, 12> kColumns{{
    {"fidelity", "Fidelity", Unit::Share, Direction::Higher, S,
     "The share of k clipped real balls that hold the sample, at most 1.", "Salvy et al. 2026", nullptr},
    {"clipped_ball_count", "Clipped real balls", Unit::Count, Direction::Higher, S,
     "How many clipped real balls hold the sample.", "Salvy et al. 2026", nullptr},
    {"ball_count", "Real balls", Unit::Count, Direction::Higher, S, "How many real balls hold the sample.",
     "Naeem et al. 2020", nullptr},
    {"pce", "PCE", Unit::Nats, Direction::Lower, S, "How unrealistic the sample is, in nats.", "Fox et al. 2025",
     nullptr},
    {"re", "RE", Unit::Nats, Direction::Neutral, S, "How isolated the sample is among the synthetic ones.",
     "Fox et al. 2025", nullptr},
    {"authentic", "Authentic", Unit::YesNo, Direction::Higher, S, "Whether the sample is no likely copy.",
     "Alaa et al. 2022", nullptr},
    {"nearest_real", "Nearest real", Unit::Row, Direction::Neutral, S, "Row of the nearest real sample.", "", nullptr},
    {"nearest_real_distance", "Distance to real", Unit::Distance, Direction::Neutral, S,
     "Distance to the nearest real sample.", "", nullptr},
    {"coverage", "Coverage", Unit::Share, Direction::Higher, R, "How well the real sample is covered.",
     "Salvy et al. 2026", nullptr},
    {"ball_synthetic_count", "Synthetic in ball", Unit::Count, Direction::Higher, R, "Synthetic samples in the ball.",
     "Salvy et al. 2026", nullptr},
    {"rce", "RCE", Unit::Nats, Direction::Lower, R, "How badly the sample is missed, in nats.", "Fox et al. 2025",
     nullptr},
    {"nearest_synthetic_distance", "Distance to synthetic", Unit::Distance, Direction::Neutral, R,
     "Distance to the nearest synthetic sample.", "", nullptr},
}};
const std::array<Metric, 7> kMetrics{{
    {"clipped_density", "Clipped density", Unit::Share, Direction::Higher,
     "Share of good samples that would score the same.", "Salvy et al. 2026", nullptr},
    {"clipped_density_unclipped", "Clipped density, unclipped", Unit::Ratio, Direction::Neutral, "May exceed one.",
     "Salvy et al. 2026", nullptr},
    {"clipped_coverage", "Clipped coverage", Unit::Share, Direction::Higher, "How much of the real set is covered.",
     "Salvy et al. 2026", nullptr},
    {"pce", "PCE", Unit::Nats, Direction::Lower, "Mean of the per-sample PCE.", "Fox et al. 2025", nullptr},
    {"rce", "RCE", Unit::Nats, Direction::Lower, "Mean of the per-sample RCE.", "Fox et al. 2025", nullptr},
    {"re", "RE", Unit::Nats, Direction::Neutral, "Mean of the per-sample RE.", "Fox et al. 2025", nullptr},
    {"authenticity", "Authenticity", Unit::Share, Direction::Higher, "Share of authentic samples.", "Alaa et al. 2022",
     nullptr},
}};
} // namespace
std::span<const Metric> metricCatalog() {
    return kMetrics;
}
std::span<const Column> columnCatalog() {
    return kColumns;
}
const Metric* findMetric(std::string_view id) {
    const auto at = std::find_if(kMetrics.begin(), kMetrics.end(), [&](const Metric& m) { return m.id == id; });
    return at == kMetrics.end() ? nullptr : &*at;
}
const Column* findColumn(std::string_view id) {
    const auto at = std::find_if(kColumns.begin(), kColumns.end(), [&](const Column& m) { return m.id == id; });
    return at == kColumns.end() ? nullptr : &*at;
}
double ModelAudit::metric(std::string_view id) const {
    for (const MetricValue& m : metrics)
        if (m.id == id)
            return m.value;
    throw Error(ErrorKind::InvalidArgument, "unknown metric " + std::string(id));
}
const std::vector<double>& ModelAudit::column(std::string_view id) const {
    for (const ColumnValues& c : columns)
        if (c.id == id)
            return c.values;
    throw Error(ErrorKind::InvalidArgument, "unknown column " + std::string(id));
}
} // namespace assay
