#include "engine/report/glossary/glossary.h"

#include "engine/metrics/catalog/catalog.h"
#include "engine/subsets/curves/requested_curves.h"

#include <array>

namespace assay {
namespace {

using Kind = GlossaryEntry::Kind;

template <typename Row>
GlossaryEntry entryOf(const Row& row, Kind kind) {
    const Metric* metric = findMetric(row.id);
    return {kind,
            row.id,
            row.title,
            row.definition,
            row.formula,
            row.source,
            metric != nullptr ? metric->synonyms : std::string_view()};
}

std::vector<GlossaryEntry> makeGlossary() {
    std::vector<GlossaryEntry> all(glossaryWords().begin(), glossaryWords().end());
    for (const Metric& metric : metricCatalog())
        if (isShownToPeople(metric))
            all.push_back(glossaryEntry(metric));
    for (const Side side : {Side::Synthetic, Side::Real})
        for (const Column& column : columnCatalog())
            if (column.side == side)
                all.push_back(glossaryEntry(column));
    for (const Curve& curve : curveCatalog())
        all.push_back(glossaryEntry(curve));
    for (const Curve& curve : requestedCurveCatalog())
        all.push_back(glossaryEntry(curve));
    return all;
}

constexpr std::array<std::string_view, 5> kFolders{"word", "metric", "synthetic", "real", "curve"}; // by Kind

} // namespace

std::string GlossaryEntry::key() const {
    return std::string(kFolders[static_cast<std::size_t>(kind)]) + "/" + std::string(id);
}

GlossaryEntry glossaryEntry(const Metric& metric) {
    return entryOf(metric, Kind::Metric);
}

GlossaryEntry glossaryEntry(const Column& column) {
    return entryOf(column, column.side == Side::Real ? Kind::RealColumn : Kind::SyntheticColumn);
}

GlossaryEntry glossaryEntry(const Curve& curve) {
    return entryOf(curve, Kind::Curve);
}

// One number says what is bad: `bad_share`. It has taken the place of the estimate of 0.2.0.
bool isShownToPeople(const Metric& metric) noexcept {
    return metric.id != "estimated_bad";
}

const std::vector<GlossaryEntry>& glossary() {
    static const std::vector<GlossaryEntry> all = makeGlossary();
    return all;
}

const GlossaryEntry* findGlossaryEntry(std::string_view key) {
    for (const GlossaryEntry& entry : glossary())
        if (entry.key() == key)
            return &entry;
    return nullptr;
}

} // namespace assay
