#pragma once

#include "engine/audit/findings/findings.h"
#include "engine/base/number_text.h"

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

/// Functions that add one family of findings each; findingsOf() calls them all and drops findings below their kind's
/// reporting threshold.
namespace assay::findings {

/// Whether the finding's kind has one of these ids.
bool isOneOf(const Finding& finding, std::initializer_list<std::string_view> ids);
/// A finding of the given kind, with the value and the interval of a metric of the model.
Finding ofMetric(const FindingInputs& in, std::string_view kind, std::string_view metric);
/// A finding of the given kind with a value that is no metric, and without an interval.
Finding ofValue(std::string_view kind, double value, std::string sentence = {}, std::string advice = {});

// sample_findings.cpp: from the verdicts of single samples
void addAccused(const FindingInputs& in, std::vector<Finding>& findings);
void addUnnamedBad(const FindingInputs& in, std::vector<Finding>& findings);
void addMissed(const FindingInputs& in, std::vector<Finding>& findings);

// equal_findings.cpp: from samples that are equal
void addEqualWithin(const FindingInputs& in, std::vector<Finding>& findings);
void addCombinations(const FindingInputs& in, std::vector<Finding>& findings);

// class_findings.cpp: classes and modes that are missing, and labels that are wrong
void addMissingClasses(const FindingInputs& in, std::vector<Finding>& findings);
void addMissingModes(const FindingInputs& in, std::vector<Finding>& findings);
void addWrongLabels(const FindingInputs& in, std::vector<Finding>& findings);

// useful_findings.cpp: what the synthetic set is worth, and whether it gives training samples away
void addLeaks(const FindingInputs& in, std::vector<Finding>& findings);
void addUseless(const FindingInputs& in, std::vector<Finding>& findings);
void addHeldOutUnlike(const FindingInputs& in, std::vector<Finding>& findings);

// set_findings.cpp: about the sets as a whole, and limits of what the audit can show
void addSpread(const FindingInputs& in, std::vector<Finding>& findings);
void addFewSamples(const FindingInputs& in, std::vector<Finding>& findings);
void addSizes(const FindingInputs& in, std::vector<Finding>& findings);
void addTies(const FindingInputs& in, std::vector<Finding>& findings);
void addRealDuplicates(const FindingInputs& in, std::vector<Finding>& findings);
void addHeldOutLeaks(const FindingInputs& in, std::vector<Finding>& findings);
void addScales(const FindingInputs& in, std::vector<Finding>& findings);
void addBuiltIn(const FindingInputs& in, std::vector<Finding>& findings);

/// A number of samples of a set.
struct Counted {
    std::size_t count;
    std::size_t of;
};

/// A class, region or combination counts as missing, or as crowded, if one of its shares is surely below this part of
/// the other. A few stray samples or labels therefore do not make a class present.
constexpr double kFarFewer = 0.25;
/// Whether the first share is surely below kFarFewer times the second: their 95 % intervals do not overlap after
/// scaling.
bool surelyFewer(const Counted& first, const Counted& second);

/// "1 sample", "31 samples".
std::string countText(std::size_t count, std::string_view one, std::string_view many);
/// "a", "a and b", "a, b and c", "a, b, c and 4 more".
std::string listText(const std::vector<std::string>& items, std::size_t most = 10);

} // namespace assay::findings
