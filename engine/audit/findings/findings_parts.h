#pragma once

#include "engine/audit/findings/findings.h"
#include "engine/base/number_text.h"

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

/// Functions that add one family of findings each; findingsOf() calls them all.
namespace assay::findings {

/// Places in the summary: what is most certain and most useful first.
namespace place {
inline constexpr double kOrder = -1.0; ///< neighbouring rows are alike: nothing else may hold
inline constexpr double kInputs = 0.0; ///< another scale, exchanged files
inline constexpr double kCollapse = 0.5;
inline constexpr double kConstant = 0.9; ///< certain, and the cause of much else
inline constexpr double kEqual = 1.0;
inline constexpr double kShrunken = 1.0;
inline constexpr double kDuplicates = 1.0;
inline constexpr double kGroups = 1.0;
inline constexpr double kVerdicts = 1.9; ///< less the share of the samples
inline constexpr double kAfterVerdicts = 1.95;
inline constexpr double kClasses = 2.0;
inline constexpr double kCategories = 3.0;
inline constexpr double kCombinations = 3.5;
inline constexpr double kLabels = 4.5;
inline constexpr double kFeatures = 5.0;
inline constexpr double kRegions = 6.0;
inline constexpr double kMissed = 6.5;
inline constexpr double kPairs = 7.0;
inline constexpr double kBeyondAll = 8.0;
inline constexpr double kSpread = 8.5;
inline constexpr double kWorth = 9.0;
inline constexpr double kToldApart = 10.0;
inline constexpr double kCrowdedBeyond = 10.5;
inline constexpr double kSubtle = 11.0;
} // namespace place

/// Whether the finding's kind has one of these ids.
bool isOneOf(const Finding& finding, std::initializer_list<std::string_view> ids);
/// A finding of the given kind with a value, and without an interval.
Finding ofValue(std::string_view kind, double value, std::string sentence = {}, std::string advice = {});
/// The same with the exact 95 % interval of a share.
/// @param units number of independent ones among `whole`; 0: all
Finding ofShare(std::string_view kind, std::size_t part, std::size_t whole, std::size_t units = 0);

// sample_findings.cpp: from the verdicts of single samples
void addEqualToReal(const FindingInputs& in, std::vector<Finding>& findings);
void addVerdicts(const FindingInputs& in, std::vector<Finding>& findings);
void addGroups(const FindingInputs& in, std::vector<Finding>& findings);
void addMissed(const FindingInputs& in, std::vector<Finding>& findings);
void addBeyondAll(const FindingInputs& in, std::vector<Finding>& findings);
void addSubtle(const FindingInputs& in, std::vector<Finding>& findings);

// equal_findings.cpp: from samples that are equal
void addEqualWithin(const FindingInputs& in, std::vector<Finding>& findings);
void addCombinations(const FindingInputs& in, std::vector<Finding>& findings);

// class_findings.cpp: shares of classes and regions, and labels that are wrong
void addClassShares(const FindingInputs& in, std::vector<Finding>& findings);
void addRegions(const FindingInputs& in, std::vector<Finding>& findings);
void addWrongLabels(const FindingInputs& in, std::vector<Finding>& findings);

// feature_findings.cpp: features, categories and what a classifier makes of them
void addScale(const FindingInputs& in, std::vector<Finding>& findings);
void addFeatures(const FindingInputs& in, std::vector<Finding>& findings);
void addToldApart(const FindingInputs& in, std::vector<Finding>& findings);

// useful_findings.cpp: what the synthetic set is worth, and what the held-out set tells
void addHeldOut(const FindingInputs& in, std::vector<Finding>& findings);
void addUseless(const FindingInputs& in, std::vector<Finding>& findings);

// set_findings.cpp: about the sets as a whole, and limits of what the audit can show
void addRowOrder(const FindingInputs& in, std::vector<Finding>& findings);
void addSpread(const FindingInputs& in, std::vector<Finding>& findings);
void addFewSamples(const FindingInputs& in, std::vector<Finding>& findings);
void addRepeats(const FindingInputs& in, std::vector<Finding>& findings);
void addSizes(const FindingInputs& in, std::vector<Finding>& findings);
void addTies(const FindingInputs& in, std::vector<Finding>& findings);
void addScales(const FindingInputs& in, std::vector<Finding>& findings);
void addBuiltIn(const FindingInputs& in, std::vector<Finding>& findings);

/// A number of samples of a set.
struct Counted {
    std::size_t count;
    std::size_t of;
};

/// A combination counts as crowded if its real share is surely below this part of the other.
constexpr double kFarFewer = 0.25;
/// Whether the first share is surely below kFarFewer times the second: their 95 % intervals do not overlap after
/// scaling.
bool surelyFewer(const Counted& first, const Counted& second);

/// "1 sample", "31 samples".
std::string countText(std::size_t count, std::string_view one, std::string_view many);
/// A factor with so many significant digits, never as a power of ten: "0.28", "2.5", "31,500".
std::string factorText(double factor, int digits = 2);
/// "a", "a and b", "a, b and c", "a, b, c and 4 more".
std::string listText(const std::vector<std::string>& items, std::size_t most = 10);

} // namespace assay::findings
