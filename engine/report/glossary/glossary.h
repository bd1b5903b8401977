#pragma once

#include "engine/metrics/catalog/catalog.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// Definition of something that is named on screen, in reports and in docs/: title, meaning, formula and paper.
struct GlossaryEntry {
    enum class Kind { Word, Metric, SyntheticColumn, RealColumn, Curve };

    Kind kind;
    std::string_view id;      ///< in files: "clipped_density"; of a word a key that no file has
    std::string_view title;   ///< as it stands on screen
    std::string_view meaning; ///< one to three sentences
    std::string_view formula; ///< in the symbols of glossarySymbols(); of a word that has none: empty
    std::string_view source;  ///< the paper, see report::references(); of a general word: empty

    /// "metric/coverage": distinguishes metrics, columns and curves of the same id.
    std::string key() const;
};

/// A symbol of the formulas: "N", "number of real samples".
struct GlossarySymbol {
    std::string_view symbol;
    std::string_view meaning;
};

/// Whether views and reports show the metric. Files keep the others for gates that were written for them.
bool isShownToPeople(const Metric& metric) noexcept;

/// Other names of a metric, as papers and programs call it: "FID, Frechet Inception Distance"; empty for none. For
/// searches.
std::string_view synonymsOf(std::string_view id);

/// All entries of what is shown: words first, then metrics, columns and curves in the order of their catalogues.
const std::vector<GlossaryEntry>& glossary();
std::span<const GlossarySymbol> glossarySymbols();

/// The entry with this key, or null.
const GlossaryEntry* findGlossaryEntry(std::string_view key);
/// The entry of a row of the catalogues; without a formula for a row that is in none of them.
GlossaryEntry glossaryEntry(const Metric& metric);
GlossaryEntry glossaryEntry(const Column& column);
GlossaryEntry glossaryEntry(const Curve& curve);

} // namespace assay
