#include "engine/data/preparation.h"

#include "engine/base/find_by.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace assay {
namespace {

/// Names of choices.
template <typename Choice>
using Names = std::pair<Choice, std::string_view>;

constexpr Names<Scaling> kScalings[]{
    {Scaling::None, "none"}, {Scaling::ZScore, "zscore"},     {Scaling::PcaWhiten, "pca-whiten"}, {Scaling::L2, "l2"},
    {Scaling::Pca, "pca"},   {Scaling::Features, "features"}, {Scaling::DctLow, "dct-low"}};
constexpr Names<Missing> kMissings[]{
    {Missing::Refuse, "refuse"}, {Missing::Drop, "drop"}, {Missing::Indicate, "indicate"}};
constexpr Names<ColumnKind> kKinds[]{{ColumnKind::Number, "number"},   {ColumnKind::Category, "category"},
                                     {ColumnKind::Date, "date"},       {ColumnKind::Id, "id"},
                                     {ColumnKind::Label, "label"},     {ColumnKind::Group, "group"},
                                     {ColumnKind::LeftOut, "left-out"}};

template <typename Choice, std::size_t N>
std::string_view nameIn(const Names<Choice> (&names)[N], Choice choice) noexcept {
    return findBy(names, &Names<Choice>::first, choice)->second;
}

template <typename Choice, std::size_t N>
std::optional<Choice> choiceIn(const Names<Choice> (&names)[N], std::string_view name) noexcept {
    const Names<Choice>* found = findBy(names, &Names<Choice>::second, name);
    return found == nullptr ? std::nullopt : std::optional(found->first);
}

std::string scalingText(const ValuePreparation& made) {
    switch (made.scaling) {
    case Scaling::ZScore: {
        std::string text = "Each column was z-scored by the real set's mean and standard deviation";
        if (!made.unscaled.empty())
            text += ", but for " + std::to_string(made.unscaled.size()) + " constant or 0-1 columns";
        return text + ".";
    }
    case Scaling::PcaWhiten:
        return fmt::format("Rows were projected onto {} principal components of the real set's {} columns, each "
                           "divided by its standard deviation.",
                           made.spread.size(), made.columns);
    case Scaling::L2:
        return "Each row was divided by its Euclidean length.";
    case Scaling::Pca:
        return fmt::format("Rows were projected onto {} principal components of the real set's {} columns; a last "
                           "column is the length of what these leave out.",
                           made.spread.size(), made.columns);
    case Scaling::Features:
        return "Each of the " + std::to_string(made.window.features) +
               " features of the series was standardised by its mean and standard deviation over all windows of the "
               "real set.";
    case Scaling::DctLow:
        return "Each channel of a picture was replaced by the lowest coefficients of its cosine transform.";
    case Scaling::None:
        break;
    }
    return {};
}

std::string joinedNames(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "'" : ", '") + name + "'";
    return text;
}

} // namespace

std::string_view nameOf(Scaling scaling) noexcept {
    return nameIn(kScalings, scaling);
}

std::optional<Scaling> scalingOf(std::string_view name) noexcept {
    return choiceIn(kScalings, name);
}

std::string_view nameOf(ColumnKind kind) noexcept {
    return nameIn(kKinds, kind);
}

std::optional<ColumnKind> columnKindOf(std::string_view name) noexcept {
    return choiceIn(kKinds, name);
}

std::string_view nameOf(Missing missing) noexcept {
    return nameIn(kMissings, missing);
}

std::optional<Missing> missingOf(std::string_view name) noexcept {
    return choiceIn(kMissings, name);
}

bool isSelectable(Scaling scaling) noexcept {
    return scaling != Scaling::Pca && scaling != Scaling::Features && scaling != Scaling::DctLow;
}

std::string ValuePreparation::text() const {
    std::string all;
    const auto add = [&](const std::string& sentence) {
        all += (all.empty() || sentence.empty() ? "" : " ") + sentence;
    };
    if (!ignoredColumns.empty())
        add("Columns were left out: " + joinedNames(ignoredColumns) + ".");
    for (const ColumnChoice& one : columnKinds)
        add(fmt::format("Column '{}' was taken as {} {}, as said.", one.name, one.kind == ColumnKind::Id ? "an" : "a",
                        nameOf(one.kind)));
    if (!dates.empty())
        add(fmt::format("Dates ({} {}) became days since the earliest of the real set.", dates.size(),
                        dates.size() == 1 ? "column" : "columns"));
    if (oneHot && !categories.empty())
        add("Columns of text (" + std::to_string(categories.size()) +
            ") became one column of 0 and 1 per category of the real set and one for all other texts.");
    if (clips != ClipSample::None)
        add(clips == ClipSample::Mean ? "Each clip is one sample, the mean of its frames."
                                      : "Each frame of a clip is one sample.");
    if (missing == Missing::Drop)
        add("Rows with values that are not finite were dropped.");
    if (const auto shifted = std::ranges::count_if(offset, [](double value) { return value != 0.0; }); shifted > 0)
        add(fmt::format("A common offset was subtracted from {}{} before values were rounded to float32.", shifted,
                        (shifted == 1 ? " column" : " columns")));
    if (!filled.empty())
        add(fmt::format(
            "Missing values ({} {}) were filled with the real set's median, and a column of 0 and 1 was added "
            "for each that tells where.",
            filled.size(), filled.size() == 1 ? "column" : "columns"));
    add(scalingText(*this));
    return all;
}

} // namespace assay
