#include "engine/report/scores/table_sentences.h"

#include "engine/audit/result/audit_result.h"
#include "engine/base/number_text.h"
#include "engine/data/embedding_set.h"
#include "engine/data/feature_layout.h"
#include "engine/io/files/refusal.h"
#include "engine/io/files/text_encoding.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

constexpr std::size_t kNamed = 5;
constexpr std::size_t kLongestName = 40;

/// A text of a file in a sentence: an empty one would not be seen, and a long one would hide the sentence.
std::string shownText(const std::string& text) {
    return text.empty() ? "(empty)" : printable(text, kLongestName);
}

/// "sailor (60), cook (12) and 3 more".
template <typename Wanted>
std::string listed(const CategoryDifference& column, const Wanted& wanted) {
    std::vector<const CategoryCounts*> found;
    for (const CategoryCounts& one : column.categories)
        if (one.isAbsent() && wanted(one))
            found.push_back(&one);
    std::ranges::stable_sort(found, std::ranges::greater(), [](const auto* one) { return one->real + one->synthetic; });
    std::string text;
    for (std::size_t i = 0; i < std::min(found.size(), kNamed); ++i)
        text += fmt::format("{}{} ({})", i == 0 ? "" : ", ", shownText(found[i]->text),
                            countText(found[i]->real + found[i]->synthetic));
    return found.size() > kNamed ? text + fmt::format(" and {} more", found.size() - kNamed) : text;
}

/// "Missing: job: sailor (60)." for all columns; empty for none.
template <typename List>
std::string listedOfAll(const std::vector<CategoryDifference>& columns, const char* begin, const List& list) {
    std::string text;
    std::size_t more = 0;
    std::size_t named = 0;
    for (const CategoryDifference& column : columns) {
        const std::string one = list(column);
        if (one.empty())
            continue;
        if (named++ < kNamed)
            text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", columnNameOf(column), one);
        else
            ++more;
    }
    if (text.empty())
        return text;
    return begin + text + (more > 0 ? fmt::format("; {}", counted(more, "more column", "more columns")) : "") + ".";
}

} // namespace

std::string featureNameOf(const EmbeddingSet& real, std::uint32_t feature) {
    const std::vector<std::string>& names = real.source().columnNames;
    return feature < names.size() ? utf8OrEscaped(names[feature]) : "feature " + std::to_string(feature);
}

std::string correlationText(double value) {
    return fmt::format("{:.2f}", std::abs(value) < 0.005 ? 0.0 : value);
}

std::string columnNameOf(const CategoryDifference& column) {
    return column.column.empty() ? "feature " + std::to_string(column.feature) : utf8OrEscaped(column.column);
}

std::string missingCategories(const CategoryDifference& column) {
    return listed(column, [](const CategoryCounts& one) { return one.isMissing(); });
}

std::string inventedCategories(const CategoryDifference& column) {
    return listed(column, [](const CategoryCounts& one) { return one.isInvented(); });
}

std::string featureSentence(const EmbeddingSet& real, const ModelAudit& model) {
    constexpr double kBeyondChance = 3.0; // times what chance makes: scatter alone hardly ever comes that far
    const auto differs = [](const FeatureDifference& one) { return one.distance > kBeyondChance * one.byChance; };
    const std::vector<FeatureDifference>& features = model.featureDifferences.features;
    const auto most = std::ranges::find_if(features, differs); // the first: they come by their distance
    std::string text = "No feature differs by more than chance.";
    if (most != features.end()) {
        const auto count = static_cast<std::size_t>(std::ranges::count_if(features, differs));
        const bool isOfText = FeatureLayout::of(*real.preparation(), real.dim()).textAt(most->feature) != nullptr;
        text = fmt::format("Features that differ by more than chance: {} of {}. The largest difference: {}, {}.",
                           countText(count), countText(features.size()), featureNameOf(real, most->feature),
                           !std::isinf(most->relativeDistance())
                               ? "by " + roundedText(most->relativeDistance()) + " standard deviations"
                           : most->realMean == 0.0 && isOfText ? "which no real sample has"
                                                               : "which is constant in the real set");
    }
    const FeatureDifferences& compared = model.featureDifferences;
    if (compared.realRows < real.rows() || compared.syntheticRows < model.set->rows())
        text += fmt::format(" Compared from {} real and {} synthetic samples.", countText(compared.realRows),
                            countText(compared.syntheticRows));
    return text;
}

std::string correlationSentence(const EmbeddingSet& real, const ModelAudit& model) {
    const CorrelationDifferences& found = model.tableDifferences.correlations;
    if (found.compared == 0)
        return "No pair of features can be compared: it takes two features that vary in both sets.";
    std::string text;
    if (found.differing == 0)
        text =
            fmt::format("None of {} is correlated differently by more than chance.",
                        countText(found.compared) + (found.compared == 1 ? " pair of features" : " pairs of features"));
    else {
        const CorrelationDifference& most = found.pairs.front();
        text = fmt::format(
            "{} of {} {} correlated differently. The largest difference: {} and {}, {} in the real "
            "set and {} in the synthetic one.",
            countText(found.differing),
            countText(found.compared) + (found.compared == 1 ? " pair of features" : " pairs of features"),
            found.differing == 1 ? "is" : "are", shownText(featureNameOf(real, most.first)),
            shownText(featureNameOf(real, most.second)), correlationText(most.real), correlationText(most.synthetic));
    }
    if (found.leftOut > 0)
        text += fmt::format(" Only pairs of the {} features that differ most were compared; {} were not.",
                            countText(CorrelationDifferences::kMaxFeatures), countText(found.leftOut));
    if (found.tooRare > 0)
        text +=
            fmt::format(" {} left out: {} spread rests on too few samples.",
                        counted(found.tooRare, "feature was", "features were"), found.tooRare == 1 ? "its" : "their");
    if (found.realRows < real.rows() || found.syntheticRows < model.set->rows())
        text += fmt::format(" Compared from {} real and {} synthetic samples.", countText(found.realRows),
                            countText(found.syntheticRows));
    return text;
}

std::string categorySentence(const ModelAudit& model) {
    const std::vector<CategoryDifference>& columns = model.tableDifferences.categories;
    if (columns.empty())
        return "There are no categories: no column holds text.";
    const std::string missing =
        listedOfAll(columns, "Missing in the synthetic set (real samples): ", missingCategories);
    const std::string invented =
        listedOfAll(columns, "Invented, not in the real set (synthetic samples): ", inventedCategories);
    if (missing.empty() && invented.empty())
        return "No category is missing or invented by more than chance.";
    return missing + (missing.empty() || invented.empty() ? "" : " ") + invented;
}

std::string missingValueSentence(const ModelAudit& model) {
    const TableDifferences& found = model.tableDifferences;
    if (!found.missingUnknown.empty())
        return found.missingUnknown;
    if (found.missing.empty())
        return "No value is missing in either set.";
    const auto differing = static_cast<std::size_t>(
        std::ranges::count_if(found.missing, [](const MissingRate& rate) { return rate.differs(); }));
    if (differing == 0)
        return fmt::format("Values are missing in {}, about as often in both sets.",
                           counted(found.missing.size(), "column", "columns"));
    const auto most = std::ranges::find_if(found.missing, [](const MissingRate& rate) { return rate.differs(); });
    const std::string column =
        most->column.empty() ? "feature " + std::to_string(most->feature) : shownText(most->column);
    const std::string rates = fmt::format("missing in {} of the real and {} of the synthetic samples.",
                                          percentText(most->realRate()), percentText(most->syntheticRate()));
    if (found.missing.size() == 1)
        return fmt::format("Values of {} are {}", column, rates);
    return fmt::format("Values are missing more or less often than in the real set in {} of {} columns. The largest "
                       "difference: {}, {}",
                       countText(differing), countText(found.missing.size()), column, rates);
}

} // namespace assay
