#include "engine/report/glossary/glossary.h"

#include "engine/base/find_by.h"
#include "engine/report/glossary/formulas.h"
#include "engine/subsets/curves/requested_curves.h"

namespace assay {
namespace {

using Kind = GlossaryEntry::Kind;

std::string_view formulaOf(std::span<const glossary_parts::Formula> formulas, std::string_view id) {
    const glossary_parts::Formula* found = findBy(formulas, &glossary_parts::Formula::id, id);
    return found ? found->formula : std::string_view();
}

template <typename Row>
GlossaryEntry entryOf(const Row& row, Kind kind, std::span<const glossary_parts::Formula> formulas) {
    return {kind, row.id, row.title, row.definition, formulaOf(formulas, row.id), row.source};
}

std::vector<GlossaryEntry> makeGlossary() {
    std::vector<GlossaryEntry> all(glossary_parts::words().begin(), glossary_parts::words().end());
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

std::string_view folderOf(Kind kind) {
    switch (kind) {
    case Kind::Word:
        return "word";
    case Kind::Metric:
        return "metric";
    case Kind::SyntheticColumn:
        return "synthetic";
    case Kind::RealColumn:
        return "real";
    case Kind::Curve:
        return "curve";
    }
    return {};
}

} // namespace

std::string GlossaryEntry::key() const {
    return std::string(folderOf(kind)) + "/" + std::string(id);
}

GlossaryEntry glossaryEntry(const Metric& metric) {
    return entryOf(metric, Kind::Metric, glossary_parts::metricFormulas());
}

GlossaryEntry glossaryEntry(const Column& column) {
    return column.side == Side::Real ? entryOf(column, Kind::RealColumn, glossary_parts::realFormulas())
                                     : entryOf(column, Kind::SyntheticColumn, glossary_parts::syntheticFormulas());
}

GlossaryEntry glossaryEntry(const Curve& curve) {
    return entryOf(curve, Kind::Curve, glossary_parts::curveFormulas());
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
