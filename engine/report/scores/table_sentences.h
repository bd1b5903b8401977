#pragma once

#include <cstdint>
#include <string>

namespace assay {

class EmbeddingSet;
struct CategoryDifference;
struct ModelAudit;

/// Name of a feature in the real set's file: "age", "job=clerk"; else its number: "feature 12".
std::string featureNameOf(const EmbeddingSet& real, std::uint32_t feature);
/// A correlation with two decimals: "0.62", never "-0.00".
std::string correlationText(double value);
/// Name of a column of text: "job", else "column 3".
std::string columnNameOf(const CategoryDifference& column);
/// "job=clerk (41)": the categories that are missing or invented by more than chance, and how many samples they have
/// on the other side; empty for none.
std::string missingCategories(const CategoryDifference& column);
std::string inventedCategories(const CategoryDifference& column);

// Results of the comparison of tables in a few sentences; the first one is the summary.

std::string featureSentence(const EmbeddingSet& real, const ModelAudit& model);
std::string correlationSentence(const EmbeddingSet& real, const ModelAudit& model);
std::string categorySentence(const ModelAudit& model);
std::string missingValueSentence(const ModelAudit& model);

} // namespace assay
