// Features, categories and pairs of features that differ, other scales, and what a classifier makes of them.
#include "engine/audit/findings/findings_parts.h"
#include "engine/audit/result/audit_result.h"
#include "engine/data/brief_text.h"
#include "engine/data/feature_layout.h"
#include "engine/metrics/set_tests/set_tests.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace assay::findings {
namespace {

constexpr std::size_t kNamed = 3;
constexpr std::size_t kListed = 6;

/// "'amount'", or "feature 4" where columns have no names.
std::string featureName(const EmbeddingSet& real, std::uint32_t feature) {
    const std::vector<std::string>& names = real.source().columnNames;
    return feature < names.size() ? "'" + briefText(names[feature]) + "'" : fmt::format("feature {}", feature + 1);
}

/// "pay = voucher", or "category 4" where columns have no names.
std::string categoryName(const EmbeddingSet& real, const DifferingCategory& category) {
    const ValuePreparation& preparation = *real.preparation();
    const FeatureLayout layout = FeatureLayout::of(preparation, real.dim());
    if (const FeatureLayout::Text* text = layout.textAt(category.feature)) {
        const CategoryColumn& column = preparation.categories[text->source];
        const std::size_t at = category.feature - text->first;
        return at < column.categories.size()
                   ? fmt::format("{} = {}", briefText(column.name), briefText(column.categories[at]))
                   : fmt::format("another value of {}", briefText(column.name));
    }
    const std::vector<std::string>& names = real.source().columnNames;
    if (category.feature >= names.size())
        return fmt::format("category {}", category.feature + 1);
    std::string name = briefText(names[category.feature]);
    if (const std::size_t at = name.find('='); at != std::string::npos)
        name.replace(at, 1, " = ");
    return name;
}

/// The same at the beginning of a sentence; names of columns stay as they are.
std::string atBeginning(std::string name) {
    for (const std::string_view words : {"feature ", "category ", "another value of "})
        if (name.starts_with(words)) {
            name.front() = static_cast<char>(name.front() - 'a' + 'A');
            break;
        }
    return name;
}

double partOf(std::size_t part, std::size_t whole) {
    return static_cast<double>(part) / static_cast<double>(std::max<std::size_t>(whole, 1));
}

/// How a distribution differs, between two texts: ", 2 times as wide", ", 0.5 standard deviations higher"; empty where
/// neither width nor place says it.
std::string howText(const DifferingFeature& feature, std::string_view before, std::string_view after = {}) {
    constexpr double kMaxTimes = 100.0; // beyond it the digits mean nothing
    std::string how;
    if (feature.widthRatio && *feature.widthRatio >= kMaxTimes)
        how = "far wider";
    else if (feature.widthRatio && *feature.widthRatio <= 1.0 / kMaxTimes)
        how = "far narrower";
    else if (feature.widthRatio)
        how = fmt::format("{:.2g} times as wide", *feature.widthRatio);
    else if (feature.shift && *feature.shift != 0.0)
        how = fmt::format("{:.2g} standard deviations {}", std::abs(*feature.shift),
                          *feature.shift > 0.0 ? "higher" : "lower");
    return how.empty() ? how : fmt::format("{}{}{}", before, how, after);
}

/// "'amount' differs (Kolmogorov distance 0.50, 0.5 standard deviations higher)" without the verb where several are
/// listed.
std::string differenceText(const EmbeddingSet& real, const DifferingFeature& feature, const char* verb) {
    return fmt::format("{}{} (Kolmogorov distance {:.2f}{})", featureName(real, feature.feature), verb,
                       feature.distance, howText(feature, ", "));
}

Finding accusing(std::string_view kind, double value, double place, std::string sentence, std::string advice) {
    Finding finding = ofValue(kind, value, std::move(sentence), std::move(advice));
    finding.place = place;
    return finding;
}

void addConstant(const FindingInputs& in, const FeatureTests& tests, std::vector<Finding>& findings) {
    const EmbeddingSet& real = *in.real.set;
    const auto names = [&](const std::vector<ConstantFeature>& features) {
        std::vector<std::string> texts;
        texts.reserve(features.size());
        for (const ConstantFeature& feature : features)
            texts.push_back(featureName(real, feature.feature));
        return listText(texts, kListed);
    };
    const auto valueText = [&](const std::vector<ConstantFeature>& features) {
        const bool same = std::ranges::all_of(
            features, [&](const ConstantFeature& one) { return one.value == features.front().value; });
        return same ? roundedText(inFile(*real.preparation(), features.front().feature, features.front().value))
                    : std::string("the same");
    };
    const std::string advice = "Compare how both sets were prepared: such a feature tells them apart at once.";
    if (const auto& awake = tests.constantInReal; !awake.empty())
        findings.push_back(accusing("constant_features", static_cast<double>(awake.size()), place::kConstant,
                                    fmt::format("{} {} always {} in the real data but not in the model: {}.",
                                                countText(awake.size(), "feature", "features"),
                                                awake.size() == 1 ? "is" : "are", valueText(awake), names(awake)),
                                    advice));
    if (const auto& asleep = tests.constantInSynthetic; !asleep.empty())
        findings.push_back(accusing("constant_features", static_cast<double>(asleep.size()), place::kConstant,
                                    asleep.size() == 1
                                        ? fmt::format("{} is always {} in the model but not in the real data.",
                                                      atBeginning(names(asleep)), valueText(asleep))
                                        : fmt::format("{} features vary in the real data but never in the model: {}.",
                                                      asleep.size(), names(asleep)),
                                    advice));
}

void addCategories(const FindingInputs& in, const FeatureTests& tests, std::vector<Finding>& findings) {
    const EmbeddingSet& real = *in.real.set;
    const auto add = [&](double place, std::string sentence) {
        findings.push_back(accusing(
            "categories_differ",
            static_cast<double>(tests.lostCategories.size() + tests.newCategories.size() + tests.otherShares.size()),
            place, std::move(sentence), "The panel Features has every category."));
    };
    const auto most = [](const std::vector<DifferingCategory>& all) {
        return std::span(all).first(std::min(all.size(), kNamed));
    };
    const auto ofReal = [&](const DifferingCategory& one) { return percentText(partOf(one.real, tests.realRows)); };
    const auto ofModel = [&](const DifferingCategory& one) {
        return percentText(partOf(one.synthetic, tests.syntheticRows));
    };
    for (const DifferingCategory& one : most(tests.lostCategories))
        add(place::kCategories,
            fmt::format("It never makes {} ({} of the real rows).", categoryName(real, one), ofReal(one)));
    for (const DifferingCategory& one : most(tests.newCategories))
        add(place::kCategories, fmt::format("{} is in {} of its rows but in no real one.",
                                            atBeginning(categoryName(real, one)), ofModel(one)));
    for (const DifferingCategory& one : most(tests.otherShares))
        add(place::kFeatures, fmt::format("{} is in {} of its rows but in {} of the real ones.",
                                          atBeginning(categoryName(real, one)), ofModel(one), ofReal(one)));
}

void addSingle(const FindingInputs& in, const FeatureTests& tests, std::vector<Finding>& findings) {
    if (tests.features.empty())
        return;
    const EmbeddingSet& real = *in.real.set;
    const bool several = tests.features.size() > kNamed;
    std::string sentence =
        !several ? ""
        : tests.features.size() == tests.dim
            ? fmt::format("All {} features differ, most of all ", tests.dim)
            : fmt::format("{} of {} features differ, most of all ", tests.features.size(), tests.dim);
    for (std::size_t i = 0; i < std::min(tests.features.size(), kNamed); ++i)
        sentence += (i == 0 ? "" : "; ") + differenceText(real, tests.features[i], several ? "" : " differs");
    if (!several)
        sentence = atBeginning(sentence);
    findings.push_back(accusing("features_differ", static_cast<double>(tests.features.size()), place::kFeatures,
                                sentence + ".", "The panel Features shows both distributions of each."));
    const DifferingFeature& most = tests.features.front();
    findings.back().brief =
        tests.features.size() == 1
            ? atBeginning(featureName(real, most.feature)) + " differs" + howText(most, " (", ")") + "."
            : fmt::format("{} features differ, most of all {}{}.",
                          tests.features.size() == tests.dim
                              ? fmt::format("All {}", tests.dim)
                              : fmt::format("{} of {}", tests.features.size(), tests.dim),
                          featureName(real, most.feature), howText(most, " (", ")"));
}

void addPairs(const FindingInputs& in, const FeatureTests& tests, std::vector<Finding>& findings) {
    if (tests.pairs.empty())
        return;
    const EmbeddingSet& real = *in.real.set;
    const DifferingPair& pair = tests.pairs.front();
    std::string sentence =
        fmt::format("The correlation of {} and {} is {:.2f}, in the real data {:.2f}", featureName(real, pair.first),
                    featureName(real, pair.second), pair.synthetic, pair.real);
    if (const std::size_t others = tests.pairs.size() - 1; others > 0)
        sentence +=
            fmt::format("; {} differ{} too", countText(others, "other pair", "other pairs"), others == 1 ? "s" : "");
    findings.push_back(accusing("pairs_differ", static_cast<double>(tests.pairs.size()), place::kPairs, sentence + ".",
                                "The panel Features lists all pairs. The model misses how these features depend."));
    findings.back().brief = countText(tests.pairs.size(), "pair of features has", "pairs of features have") +
                            " another correlation than in the real data.";
}

} // namespace

void addScale(const FindingInputs& in, std::vector<Finding>& findings) {
    if (in.tests == nullptr)
        return;
    const ScaleTest& scale = in.tests->scale;
    // Of a set of a few different rows that they have one length says nothing.
    const NeighborTable& own =
        scale.unitLength == Side::Real ? in.real.neighbors : in.model.tables->syntheticToSynthetic;
    std::size_t repeated = 0;
    for (std::size_t row = 0; row < own.rows(); ++row)
        repeated += own.distanceAt(row, 0) == 0.0 ? 1 : 0;
    if (scale.unitLength && 2 * repeated < own.rows()) {
        findings.push_back(accusing(
            "scale", 1.0, place::kInputs,
            *scale.unitLength == Side::Real
                ? "The vectors of the real set all have the same length, its own do not: normalise both or neither."
                : "Its vectors all have the same length, those of the real set do not: normalise both or neither.",
            "Nothing else can be compared until both sets are prepared alike."));
        findings.back().marksModel = true;
    }
    if (scale.factor) {
        const bool larger = *scale.factor > 1.0;
        findings.push_back(accusing(
            "scale", *scale.factor, place::kInputs,
            larger ? fmt::format("Its values are {} times as large as the real ones: a different unit or scaling?",
                                 factorText(*scale.factor, 3))
                   : fmt::format("Its values are {} times smaller than the real ones: a different unit or scaling?",
                                 factorText(1.0 / *scale.factor, 3)),
            "Compare how both sets were prepared. If they were prepared alike, the model is far too wide or narrow."));
        findings.back().marksModel = larger;
    }
}

void addFeatures(const FindingInputs& in, std::vector<Finding>& findings) {
    if (in.tests == nullptr)
        return;
    addConstant(in, in.tests->features, findings);
    addCategories(in, in.tests->features, findings);
    addSingle(in, in.tests->features, findings);
    addPairs(in, in.tests->features, findings);
}

void addToldApart(const FindingInputs& in, std::vector<Finding>& findings) {
    if (in.tests == nullptr)
        return;
    const std::optional<SeparationTest> found = in.tests->toldApart.strongest();
    if (!found)
        return;
    const std::string by = found->input == SeparationTest::Input::Products ? "squares and products of features"
                           : found->input == SeparationTest::Input::Components
                               ? "single components"
                               : featureName(*in.real.set, found->feature);
    findings.push_back(accusing(
        "told_apart", found->area, place::kToldApart,
        fmt::format("A classifier tells its samples from real ones with AUC {:.2f} (0.5 is a coin toss), mostly by {}.",
                    found->area, by),
        "It was tested on samples that it was not trained on. It names no single sample."));
}

} // namespace assay::findings
