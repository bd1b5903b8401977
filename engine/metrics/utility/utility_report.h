#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace assay {

/// How often test samples of one class were taken for another, or for their own.
struct Confusion {
    std::uint32_t actual = 0;    ///< index into UtilityReport::classes
    std::uint32_t predicted = 0; ///< index into UtilityReport::classes
    std::uint32_t count = 0;     ///< above 0

    friend bool operator==(const Confusion&, const Confusion&) = default;
};

/// Utility of one class of the test set.
struct ClassUtility {
    std::uint32_t label = 0;    ///< index into UtilityReport::classes
    std::uint32_t tested = 0;   ///< test samples of the class
    std::uint32_t training = 0; ///< synthetic samples of the class
    double accuracy = 0.0;      ///< share of them that the classifier trained on the synthetic set gets right
    double realAccuracy = 0.0;  ///< the same trained on the real set

    friend bool operator==(const ClassUtility&, const ClassUtility&) = default;
};

/// Utility of a model as an audit stores it, besides metrics and columns.
struct UtilityReport {
    std::string whyNot;        ///< why there is no utility, in a sentence; empty if there is or it was not computed
    std::string testedOn;      ///< "held_out" or "real"; empty without utility
    std::size_t trainedOn = 0; ///< synthetic samples with a label
    std::size_t tested = 0;    ///< test samples with a label
    bool converged = true;     ///< whether every training reached its tolerance
    std::vector<std::string> classes;  ///< names; empty for numbers
    std::vector<ClassUtility> byClass; ///< classes of the test set, in the order of `classes`
    std::vector<Confusion>
        confusion; ///< by actual, then predicted class; for the classifier trained on the synthetic set

    /// Whether utility was computed, or found to be impossible.
    bool isKnown() const { return !whyNot.empty() || !testedOn.empty(); }
    /// Whether there is utility.
    bool exists() const { return !testedOn.empty(); }
};

} // namespace assay
