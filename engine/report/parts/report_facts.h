#pragma once

#include "engine/metrics/catalog/catalog.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {

struct AuditResult;
struct Finding;
struct ModelAudit;

} // namespace assay

/// What the HTML and the Markdown report have in common: which scores are shown, and how they are written.
namespace assay::report {

/// A model as reports name it: its place in the audit, from 1, and its name.
struct Audited {
    std::size_t number = 0; ///< 0: the held-out set as if it were a model
    const ModelAudit* model = nullptr;

    std::string name() const;
};

/// All models, and the held-out set where there is one.
std::vector<Audited> auditedSets(const AuditResult& audit);

/// The metrics of the table of scores that some of the sets has, in catalogue order.
std::vector<const Metric*> shownMetrics(const AuditResult& audit);

/// A value for people: three significant digits, counts whole; a dash where there is none.
std::string scoreText(double value, Unit unit);
/// A metric's value; a dash where the model does not have it.
std::string scoreText(const ModelAudit& model, const Metric& metric);
/// "0.664 to 0.752"; empty where the metric has no interval.
std::string intervalText(const ModelAudit& model, const Metric& metric);
/// "PCE (nats)".
std::string titleWithUnit(const Metric& metric);
/// "higher is better"; empty for neither.
std::string_view directionText(Direction better);

/// What a finding measures: "30 %", or a plain number where its kind is no share.
std::string findingValueText(const Finding& finding);
/// "28 % to 32 %"; empty where there is none.
std::string findingIntervalText(const Finding& finding);

/// One sentence with the two headline scores: "By clipped density as faithful as a set with 71 % (66 % to 75 %) good
/// samples; ..".
std::string headlineSentence(const ModelAudit& model);
/// "1 model", "3 models".
std::string counted(std::size_t count, std::string_view one, std::string_view many);

/// A name and a value.
using Fact = std::pair<std::string, std::string>;

/// Parameters, versions, and how the neighbours were found.
std::vector<Fact> parameterFacts(const AuditResult& audit);

/// One input of the audit.
struct InputFact {
    std::string role; ///< "real", "synthetic: gan", "held-out"
    std::string file; ///< as given; "built-in demo" for generated sets
    std::size_t rows = 0;
    std::size_t dimensions = 0;
    std::string sha256;
    std::vector<std::string> notes; ///< what was left out on reading
};
std::vector<InputFact> inputFacts(const AuditResult& audit);

/// The metrics that are shown for what was kept, in catalogue order.
std::vector<const Metric*> keptMetrics(const ModelAudit& model);

} // namespace assay::report
