#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace assay {

struct AuditResult;
struct KeptAudit;

/// One condition that an audit must meet: "clipped_density>=0.4", "authenticity.low>=0.95", "kept.pce<=0.1",
/// "gan:coverage>0.9".
struct Requirement {
    /// Compared part of a metric: its value, or an end of its 95 % interval.
    enum class Part { Value, Low, High };
    enum class Relation { AtLeast, AtMost, Above, Below };

    std::string text;   ///< original text
    std::string model;  ///< name of the model; empty for every model
    bool kept = false;  ///< whether it is about the samples that the rules keep
    std::string metric; ///< metric's id in the catalogue
    Part part = Part::Value;
    Relation relation = Relation::AtLeast;
    double bound = 0.0;
};

/// Parses a requirement.
/// @throws Error{InvalidArgument} naming what was expected
Requirement parseRequirement(const std::string& text);

/// Result of one requirement for one model.
struct RequirementOutcome {
    const Requirement* requirement = nullptr;
    std::string model;
    std::optional<double> found; ///< value found; empty if the audit does not have it
    bool met = false;
    std::string sentence; ///< "gan: clipped_density: expected >= 0.4, found 0.31"
};

/// Checks each requirement for each model that it applies to, in order.
/// @param requirements must outlive the outcomes
/// @param kept one per model; empty if there are no rules, so that all samples are kept
/// @throws Error{InvalidArgument} for a model that is not in the audit
std::vector<RequirementOutcome> checkRequirements(const AuditResult& audit, std::span<const Requirement> requirements,
                                                  std::span<const KeptAudit> kept = {});

/// The outcomes as a JUnit XML document: one test suite per model, one test case per requirement.
std::string outcomesAsJunit(std::span<const RequirementOutcome> outcomes);

} // namespace assay
