#pragma once

#include "engine/audit/findings/findings.h"
#include "engine/base/number_text.h"

#include <array>
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

inline constexpr std::string_view kSurely5 = "if it is surely 5 % or more";
inline constexpr std::string_view kAlways = "always";

using enum FindingKind::Trait;

/// All kinds of findings.
inline constexpr std::array kKinds{
    FindingKind{
        "real_ordered", "Neighbouring rows are alike",
        "share of real rows whose nearest other row is 1 to 5 rows away in the file, beyond those 21 to 25 away"},
    FindingKind{"scale", "Another scale", "median length of its samples relative to that of real ones",
                "if it is larger", Number | Fact},
    FindingKind{"swapped", "Exchanged files", "share of synthetic samples that are copies of held-out ones", kAlways,
                Fact},
    FindingKind{"collapse", "Few different outputs",
                "how far its number of different samples falls short of the real set's", kAlways, Fact},
    FindingKind{"equal_to_real", "Equal to real samples", "number of synthetic samples that equal a real one",
                "if they are surely more than natural", Number | Fact | OfCopies | RejectableIfMarked},
    FindingKind{"copy", "Copies", "share of synthetic samples called copies", kSurely5, OfCopies},
    FindingKind{"group_copies", "Samples of training groups",
                "share of synthetic samples as near to a real group as its own samples are to each other", kSurely5,
                OfCopies | Rejectable},
    FindingKind{"unrealistic", "Unrealistic samples", "share of synthetic samples called unrealistic", kSurely5},
    FindingKind{"invented", "Invented samples", "share of synthetic samples called invented", kSurely5},
    FindingKind{"crowded", "Crowded samples", "share of synthetic samples called crowded", kSurely5, Consequence},
    FindingKind{"class_shares", "Shares of classes",
                "share of the real samples in lost classes, or surplus of classes with too many samples",
                "if lost classes or surpluses make up 5 %, or too many classes are lost", Fact},
    FindingKind{"categories_differ", "Categories", "number of categories that are lost, new, or of another share", "",
                Number},
    FindingKind{"new_combinations", "New combinations of categories",
                "share of synthetic samples whose combination of categories no real sample has, beyond that of good "
                "samples",
                kSurely5, Rejectable},
    FindingKind{"crowded_combinations", "Crowded combinations of categories",
                "share of synthetic samples in combinations of categories that are far too frequent", kSurely5,
                Fact | Rejectable},
    FindingKind{"constant_features", "Constant features", "number of features that are constant on one side only", "",
                Number | Consequence},
    FindingKind{"wrong_labels", "Wrong labels",
                "share of synthetic samples whose nearest real sample has another class, beyond that of real samples",
                kSurely5},
    FindingKind{"features_differ", "Features", "number of features that are distributed differently", "",
                Number | Consequence},
    FindingKind{"modes", "Regions", "share of the samples in regions with too many or almost none",
                "if nearly empty regions surely hold 5 % of the real samples", Consequence},
    FindingKind{"group_overused", "Groups that are used too much",
                "share of synthetic samples whose nearest real sample is of the group that is used most"},
    FindingKind{"missed", "Missed real samples", "share of real samples that are missed or covered too thinly",
                kSurely5},
    FindingKind{"pairs_differ", "Pairs of features", "number of pairs of features whose rank correlations differ", "",
                Number | Consequence},
    FindingKind{"duplicates", "Duplicates within the model",
                "share of synthetic samples with an exact duplicate, beyond that of real ones", kSurely5},
    FindingKind{"beyond_all", "Beyond all real samples",
                "share of synthetic samples at the far end of a statistic, beyond that of real ones", kSurely5,
                Consequence},
    FindingKind{"shrunken", "Too little variety", "distances between its samples relative to those between real ones",
                "from 20 % smaller on", Consequence},
    FindingKind{"scattered", "Too spread out", "distances between its samples relative to those between real ones",
                "from 20 % larger on", Consequence},
    FindingKind{"useless", "Less useful than real data",
                "how much less accurate a classifier is when it is trained on the synthetic instead of as many real "
                "samples",
                kSurely5},
    FindingKind{"leaks", "Gives training samples away",
                "share of training samples picked out by their nearest synthetic sample, beyond guessing",
                "from 5 % on, at p <= 0.001"},
    FindingKind{"told_apart", "A classifier tells them apart", "AUC of a classifier; 0.5 is a coin toss", "",
                Number | Consequence},
    FindingKind{"subtle", "Subtly wrong samples", "estimated share of bad synthetic samples beyond those flagged"},
    FindingKind{"few_samples", "Few samples", "number of samples of the smaller set", "", Number | Note},
    FindingKind{"old_verdicts", "Verdicts of an earlier version", "1 if its samples were judged by an earlier version",
                "", Number | Note},
    FindingKind{"deduplicated", "Duplicates were removed", "pairs of equal real rows that are to be expected", "",
                Number | Note},
    FindingKind{"held_out_contaminated", "Held-out samples repeat real ones",
                "number of held-out samples that repeat real ones or nearly do", "", Number | Note},
    FindingKind{"held_out_unlike", "Held-out samples unlike the real set", "1 if the two sets are not drawn alike", "",
                Number | Note},
    FindingKind{"frechet_few", "Few samples make its Fréchet distance",
                "share of the Fréchet distance that goes without the tenth of the samples with the largest shares", "",
                Note},
    FindingKind{"near_repeats", "Near repeats in the real set", "number of real rows that nearly repeat another one",
                "", Number | Note},
    FindingKind{"ungrouped", "Samples that may belong together",
                "share of real samples with another one far nearer than the rest of the set explains", "", Note},
    FindingKind{"real_duplicates", "Duplicates in the real set", "share of real samples with an exact duplicate", "",
                Note},
    FindingKind{"ties", "Many identical samples", "share of the k-th neighbour distances that are 0", "", Note},
    FindingKind{"scales", "Features on different scales",
                "largest standard deviation of a feature relative to their lower quartile", "", Number | Note},
    FindingKind{"other_classes", "No class in common", "1 if the model and the real set share no class", "",
                Number | Note},
    FindingKind{"built_in_embedding", "Built-in embedding", "1 if the scores come from a built-in embedding", "",
                Number | Note},
    FindingKind{"sizes", "Sets of different sizes", "how much the larger set is larger", "", Note},
};

/// Whether the finding's kind has one of these ids.
bool isOneOf(const Finding& finding, std::initializer_list<std::string_view> ids);
/// A finding of the given kind with a value, and without an interval.
Finding ofValue(std::string_view kind, double value, std::string sentence = {}, std::string advice = {});
/// The same with the exact 95 % interval of a share.
/// @param units number of independent ones among `whole`; 0: all
Finding ofShare(std::string_view kind, std::size_t part, std::size_t whole, std::size_t units = 0);

using AddFindings = void(const FindingInputs& in, std::vector<Finding>& findings);
// sample_findings.cpp: from the verdicts of single samples
AddFindings addEqualToReal, addVerdicts, addGroups, addMissed, addBeyondAll, addSubtle;
// equal_findings.cpp: from samples that are equal
AddFindings addEqualWithin, addCombinations;
// class_findings.cpp: shares of classes and regions, and labels that are wrong
AddFindings addClassShares, addRegions, addWrongLabels;
// feature_findings.cpp: features, categories and what a classifier makes of them
AddFindings addScale, addFeatures, addToldApart;
// useful_findings.cpp: what the synthetic set is worth, and what the held-out set tells
AddFindings addHeldOut, addUseless;
// set_findings.cpp: about the sets as a whole, and limits of what the audit can show
AddFindings addRowOrder, addSpread, addFewSamples, addRepeats, addSizes, addTies, addScales, addBuiltIn, addFrechet;

/// All of them, in the order in which they are called: later ones look at what earlier ones have found.
inline constexpr std::array kFamilies{addRowOrder,    addScale,       addEqualToReal, addHeldOut,      addVerdicts,
                                      addGroups,      addEqualWithin, addClassShares, addCombinations, addFeatures,
                                      addWrongLabels, addRegions,     addMissed,      addSpread,       addBeyondAll,
                                      addToldApart,   addUseless,     addSubtle,      addFewSamples,   addRepeats,
                                      addTies,        addScales,      addBuiltIn,     addSizes,        addFrechet};

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
