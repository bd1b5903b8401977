#pragma once

#include "engine/data/sample_set.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace assay {

struct AuditResult;
class EmbeddingSet;

/// The three samples that decide whether a synthetic sample is authentic: it is a copy when it is much closer to its
/// nearest real sample (the original) than that one is to its own nearest other real sample.
struct OriginalTriangle {
    SampleId original;             ///< the nearest real sample
    SampleId other;                ///< the real sample that is nearest to the original
    double sampleToOriginal = 0.0; ///< distances in the embedding, >= 0
    double originalToOther = 0.0;
    double sampleToOther = 0.0; ///< NaN if the embeddings are not in memory
};

/// The triangle of a synthetic sample; empty without neighbour tables. O(d).
std::optional<OriginalTriangle> originalTriangle(const AuditResult& audit, SampleId sample);

/// Mean and standard deviation of every feature of the real set, d values each, in the embedding that was audited.
struct FeatureStandards {
    std::vector<double> mean;
    std::vector<double> deviation;

    /// (value - mean) / deviation. For a constant feature: 0 at the mean, else infinite with the sign of the
    /// difference.
    double score(double value, std::size_t feature) const;
};

/// The standards that the audit measured for its comparison of features; before it has them, an estimate from at most
/// 256 evenly spaced rows of the real set. O(d).
FeatureStandards featureStandards(const AuditResult& audit);

/// One column of two samples: a number, a date, or a text.
struct FeatureContrast {
    std::uint32_t feature = 0; ///< column of the embedding; of a column of text its first one
    std::string column{};      ///< name of a column of text; empty for others
    /// Values in the unit of the file where features were only shifted and scaled, else as audited.
    double first = 0.0;
    double second = 0.0;
    /// Texts shown in place of the values: categories, dates, "(missing)"; else empty.
    std::string firstText{};
    std::string secondText{};
    /// first - second, in standard deviations of the real set; infinite for a constant feature. Of different texts
    /// their distance in the embedding, and 1 where one value is missing: the same unit where features are
    /// standardised.
    double difference = 0.0;
    bool hasDirection = true; ///< whether the sign of the difference means anything
};

/// All columns of two samples, the largest absolute difference first, ties by column. The 0-1 columns of a column of
/// text are one, and so are a number and the 0-1 column that tells where it is missing. Empty if their rows are not in
/// memory. O(d log d).
std::vector<FeatureContrast> contrastFeatures(const AuditResult& audit, const FeatureStandards& standards,
                                              SampleId first, SampleId second);

/// The columns of a sample against the means of the real set, the most unusual first; `second` is the mean. Empty if
/// the row is not in memory. O(d log d).
std::vector<FeatureContrast> unusualFeatures(const AuditResult& audit, const FeatureStandards& standards,
                                             SampleId sample);

/// The values of one sample as audited: d values; empty if the row is not in memory.
std::span<const float> valuesOf(const EmbeddingSet& set, std::size_t row);

} // namespace assay
