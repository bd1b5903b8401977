#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace assay {

struct AuditResult;
struct Metric;

/// One model of a run.
struct RunPoint {
    std::size_t model = 0; ///< index into the names
    double at = 0.0;       ///< the number in its name; for words the place in their order, counted from 1
    std::string text;      ///< the number or word as the name has it; empty for a name without the word

    friend bool operator==(const RunPoint&, const RunPoint&) = default;
};

/// Models whose names differ in one number, or in a word for early and late: checkpoints of one training, one model at
/// several guidance scales or truncations.
struct ModelRun {
    std::string prefix;    ///< of the names, before the number or word
    std::string suffix;    ///< after it
    std::string parameter; ///< what the number is of, as the names say it: "step", "cfg"; empty where they do not
    bool hasWords = false; ///< early and late, and no numbers
    std::vector<RunPoint> points; ///< by number, equal ones in the order of the models; at least two numbers differ

    friend bool operator==(const ModelRun&, const ModelRun&) = default;
};

/// Finds the runs among the names of models.
///
/// A number is digits with or without a decimal point; "k" or "M" right after it multiplies it. Names that differ in
/// one number alone are one run; a name with several numbers can be in several. A number right after letters ("gan2")
/// makes a run of two only where the letters name a parameter (step, epoch, kimg, cfg, psi, ...): they may be versions.
/// Numbers of seeds, folds and repetitions have no order, and make none. The words are early, mid and late, and a name
/// without them is the last of its run: gan_early, gan.
///
/// @return in the order of the first of their models; those of numbers before those of words
std::vector<ModelRun> modelRuns(std::span<const std::string> names);
/// The same among the models of an audit.
std::vector<ModelRun> modelRuns(const AuditResult& audit);

/// The model of a run with the best score, null where none is better; and how many others have the same.
struct BestOfRun {
    const RunPoint* point = nullptr;
    std::size_t equal = 0;
};
BestOfRun bestOfRun(const AuditResult& audit, const ModelRun& run, const Metric& metric);

/// Runs that can be compared with one: at most five others of the same parameter, without models of it.
std::vector<ModelRun> runsBeside(const ModelRun& run, std::span<const ModelRun> all);

} // namespace assay
