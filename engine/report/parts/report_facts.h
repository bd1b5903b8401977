#pragma once

#include "engine/metrics/tables/metric.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {

struct AuditResult;
struct Finding;
struct FindingExample;
struct ModelAudit;

} // namespace assay

/// Facts that the HTML and the Markdown report share: which scores are shown, and how they are written.
namespace assay::report {

/// A model with its number in reports.
struct Audited {
    std::size_t number = 0; ///< position in the audit, from 1; 0 for the held-out set, which reports list like a model
    const ModelAudit* model = nullptr;

    std::string name() const;
};

/// All models, and the held-out set if there is one.
std::vector<Audited> auditedSets(const AuditResult& audit);

/// The metrics of the score table that at least one of the sets has, in catalogue order.
std::vector<const Metric*> shownMetrics(const AuditResult& audit);

/// Stands for a missing value: an en dash.
inline constexpr const char* kNoValue = "\xE2\x80\x93";

/// Text of a value: three significant digits, counts as integers; a dash for a missing value.
std::string scoreText(double value, Unit unit);
/// Text of a metric's value; a dash when the model does not have it.
std::string scoreText(const ModelAudit& model, const Metric& metric);
/// Text such as "0.664 to 0.752"; empty when the metric has no interval.
std::string intervalText(const ModelAudit& model, const Metric& metric);
/// Text such as "PCE (nats)".
std::string titleWithUnit(const Metric& metric);
/// Text such as "higher is better"; empty for Direction::Neutral.
std::string_view directionText(Direction better);

/// The value that a finding measures: "30 %", or a plain number when it is not a share.
std::string findingValueText(const Finding& finding);
/// Text such as "28 % to 32 %"; empty when the finding has no interval.
std::string findingIntervalText(const Finding& finding);

/// How many samples an example stands for: "612 like this".
std::string exampleCountText(const FindingExample& example);
/// The examples of a finding by their ids: "2113, a copy of 1550 (612 like this); 17 (only this one)"; empty for none.
std::string examplesText(const AuditResult& audit, const ModelAudit& model, const Finding& finding);

/// One sentence with clipped density and clipped coverage: "Fidelity 100 % (at least 99.9 %), coverage 71 % (66 % to
/// 75 %).".
std::string headlineSentence(const ModelAudit& model);
/// A name and its value, for a table.
using Fact = std::pair<std::string, std::string>;

/// Parameters, versions, and how the neighbours were searched.
std::vector<Fact> parameterFacts(const AuditResult& audit);

/// One input of the audit.
struct InputFact {
    std::string role; ///< "real", "synthetic: gan", "held-out"
    std::string file; ///< as given by the user; "built-in demo" for generated sets
    std::size_t rows = 0;
    std::size_t dimensions = 0;
    std::string sha256;
    std::vector<std::string> notes; ///< what the reader left out
};
/// The inputs: the real set, all models, the held-out set.
std::vector<InputFact> inputFacts(const AuditResult& audit);

/// The metrics shown for the kept samples, in catalogue order.
std::vector<const Metric*> keptMetrics(const ModelAudit& model);

} // namespace assay::report
