#pragma once

#include "engine/metrics/tables/metric.h"

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
    /// Other names of a metric, as papers and programs call it: "FID, Frechet Inception Distance"; empty for none.
    std::string_view synonyms{};

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

/// All entries of what is shown: words first, then metrics, columns and curves in the order of their catalogues.
const std::vector<GlossaryEntry>& glossary();
/// The entries of words that are no score: "ball", "crowded".
std::span<const GlossaryEntry> glossaryWords();
std::span<const GlossarySymbol> glossarySymbols();
/// The glossary as Markdown, for the manual.
std::string glossaryPage();

/// The entry with this key, or null.
const GlossaryEntry* findGlossaryEntry(std::string_view key);
/// The entry of a row of the catalogues, or of a column from elsewhere.
GlossaryEntry glossaryEntry(const Metric& metric);
GlossaryEntry glossaryEntry(const Column& column);
GlossaryEntry glossaryEntry(const Curve& curve);

} // namespace assay
