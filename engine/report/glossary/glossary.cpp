#include "engine/report/glossary/glossary.h"

#include "engine/base/find_by.h"
#include "engine/report/glossary/formulas.h"
#include "engine/subsets/curves/requested_curves.h"

#include <array>

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

/// Other names of what a catalogue lists, as papers and programs call it.
struct Synonyms {
    std::string_view id;
    std::string_view names;
};

constexpr std::array kSynonyms{
    Synonyms{"frechet_distance",
             "FID, Frechet Inception Distance, Frechet distance, FD, FDD, FD-DINOv2, FAD, FVD, Wasserstein-2 distance"},
    Synonyms{"kernel_distance", "KID, Kernel Inception Distance, KD, MMD, maximum mean discrepancy"},
    Synonyms{"kernel_distance_std", "KID, Kernel Inception Distance, KD, MMD, maximum mean discrepancy"},
    Synonyms{"precision", "improved precision, IPR"},
    Synonyms{"recall", "improved recall, IPR"},
    Synonyms{"density", "PRDC"},
    Synonyms{"coverage", "PRDC"},
    Synonyms{"pce", "precision cross-entropy"},
    Synonyms{"rce", "recall cross-entropy"},
    Synonyms{"re", "recall entropy"},
    Synonyms{"fld", "FLD"},
    Synonyms{"ct_score", "data-copying test, C_T"},
    Synonyms{"ct_score_global", "data-copying test, C_T"},
    Synonyms{"nn_accuracy", "1-NN accuracy, 1-NNA, two-sample test, C2ST, classifier two-sample test"},
    Synonyms{"intrinsic_dimension", "ID, LID"},
    Synonyms{"integrated_alpha_precision", "IP-alpha, alpha-precision"},
    Synonyms{"integrated_beta_recall", "IR-beta, beta-recall"},
    Synonyms{"authenticity", "memorisation, memorization, copying"},
    Synonyms{"membership_auc", "membership inference, MIA, privacy attack"},
    Synonyms{"utility_accuracy", "TSTR, train on synthetic test on real, CAS, classification accuracy score"},
    Synonyms{"utility_auc", "TSTR, train on synthetic test on real"},
    Synonyms{"utility_r2", "TSTR, train on synthetic test on real"},
    Synonyms{"dcr_5", "DCR"},
    Synonyms{"dcr_median", "DCR"},
    Synonyms{"nndr_5", "NNDR"},
    Synonyms{"nndr_median", "NNDR"},
};

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

std::string_view synonymsOf(std::string_view id) {
    const Synonyms* found = findBy(kSynonyms, &Synonyms::id, id);
    return found != nullptr ? found->names : std::string_view();
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
