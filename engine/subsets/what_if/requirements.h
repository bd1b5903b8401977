#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct AuditResult;
struct KeptAudit;

/// One condition that an audit must meet: "clipped_density>=0.4", "authenticity.low>=0.95", "kept.pce<=0.1",
/// "gan:coverage>0.9".
struct Requirement {
    /// What of a metric: its value, or an end of its 95 % interval.
    enum class Part { Value, Low, High };
    enum class Relation { AtLeast, AtMost, Above, Below };

    std::string text;   ///< as it was written
    std::string model;  ///< whose; empty for every model
    bool kept = false;  ///< of what the rules keep
    std::string metric; ///< its id in the catalogue
    Part part = Part::Value;
    Relation relation = Relation::AtLeast;
    double bound = 0.0;
};

/// @throws Error{InvalidArgument} saying what was expected
Requirement parseRequirement(const std::string& text);

/// What one requirement comes to for one model.
struct RequirementOutcome {
    const Requirement* requirement = nullptr;
    std::string model;
    std::optional<double> found; ///< nothing where the audit does not have it
    bool met = false;
    std::string sentence; ///< "gan: clipped_density: expected >= 0.4, found 0.31"
};

/// Checks each requirement for each model that it is about, in their order.
/// @param requirements outlive the outcomes
/// @param kept one per model; empty where no rules are in force: then all samples are kept
/// @throws Error{InvalidArgument} for a model that is not in the audit
std::vector<RequirementOutcome> checkRequirements(const AuditResult& audit, std::span<const Requirement> requirements,
                                                  std::span<const KeptAudit> kept = {});

/// The outcomes as a JUnit XML file: a test suite per model, a test case per requirement.
std::string outcomesAsJunit(std::span<const RequirementOutcome> outcomes);

} // namespace assay
