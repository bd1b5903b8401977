#pragma once

#include "engine/data/preparation.h"

#include <optional>
#include <string>
#include <vector>

namespace assay {

/// How a reader converts the values of a file.
struct ValueReading {
    enum class NotFinite {
        Refused, ///< an error that names the first such row and column
        Kept     ///< kept; values beyond float32's range become infinite; the caller drops the rows
    };
    enum class Text {
        Refused,
        /// Of tables with named features: columns of text become one column per category where they have few different
        /// texts, and are left out otherwise; both are noted. Numbers with a few other fields among them are refused.
        Automatic,
        Found,  ///< text columns become one column per category; the reader finds the categories
        AsKnown ///< text columns become one column per category in `categories`
    };

    NotFinite notFinite = NotFinite::Refused;
    std::vector<double> offset{}; ///< as ValuePreparation::offset
    Text text = Text::Refused;
    std::vector<CategoryColumn> categories{}; ///< for Text::AsKnown

    std::vector<std::string> featureNames{};        ///< as ValuePreparation::featureNames
    std::optional<std::vector<DateColumn>> dates{}; ///< columns of dates; empty: the reader finds them
    /// Whether missing fields of text columns are one category, however they are written.
    bool unitesMissing = false;
    std::vector<std::string> ignoredColumns{}; ///< as ValuePreparation::ignoredColumns
    std::vector<ColumnChoice> columnKinds{};   ///< as ValuePreparation::columnKinds
    std::vector<std::string> rowNumbers{};     ///< as ValuePreparation::rowNumbers
    TableRules tableRules = TableRules::Current;
    ClipSample clips = ClipSample::None; ///< as ValuePreparation::clips, for folders without a choice of their own

    /// Whether a float32 array may be used in place, without a copy.
    bool allowsView() const noexcept { return offset.empty(); }
};

} // namespace assay
