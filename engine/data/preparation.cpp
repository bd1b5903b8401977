#include "engine/data/preparation.h"

#include "engine/base/find_by.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace assay {
namespace {

using Named = std::pair<Scaling, std::string_view>;
constexpr Named kNames[]{{Scaling::None, "none"},     {Scaling::ZScore, "zscore"}, {Scaling::PcaWhiten, "pca-whiten"},
                         {Scaling::L2, "l2"},         {Scaling::Pca, "pca"},       {Scaling::Features, "features"},
                         {Scaling::DctLow, "dct-low"}};

using NamedMissing = std::pair<Missing, std::string_view>;
constexpr NamedMissing kMissingNames[]{
    {Missing::Refuse, "refuse"}, {Missing::Drop, "drop"}, {Missing::Indicate, "indicate"}};

using NamedKind = std::pair<ColumnKind, std::string_view>;
constexpr NamedKind kKindNames[]{{ColumnKind::Number, "number"},   {ColumnKind::Category, "category"},
                                 {ColumnKind::Date, "date"},       {ColumnKind::Id, "id"},
                                 {ColumnKind::Label, "label"},     {ColumnKind::Group, "group"},
                                 {ColumnKind::LeftOut, "left-out"}};

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
    return findBy(kNames, &Named::first, scaling)->second;
}

std::optional<Scaling> scalingOf(std::string_view name) noexcept {
    const Named* found = findBy(kNames, &Named::second, name);
    return found == nullptr ? std::nullopt : std::optional(found->first);
}

std::string_view nameOf(ColumnKind kind) noexcept {
    return findBy(kKindNames, &NamedKind::first, kind)->second;
}

std::optional<ColumnKind> columnKindOf(std::string_view name) noexcept {
    const NamedKind* found = findBy(kKindNames, &NamedKind::second, name);
    return found == nullptr ? std::nullopt : std::optional(found->first);
}

std::string_view nameOf(Missing missing) noexcept {
    return findBy(kMissingNames, &NamedMissing::first, missing)->second;
}

std::optional<Missing> missingOf(std::string_view name) noexcept {
    const NamedMissing* found = findBy(kMissingNames, &NamedMissing::second, name);
    return found == nullptr ? std::nullopt : std::optional(found->first);
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
