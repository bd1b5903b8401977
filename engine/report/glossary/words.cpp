#include "engine/report/glossary/glossary.h"

#include <array>

namespace assay {
namespace {

constexpr std::string_view kBates = "Bates, Candès, Lei, Romano, Sesia, Annals of Statistics 2023";
constexpr std::string_view kChen = "Chen, Yu, Zhang, Fritz, CCS 2020";
constexpr std::string_view kBenjamini = "Benjamini, Hochberg, JRSS B 1995";
constexpr std::string_view kSalvy = "Salvy, Talbot, Thirion, ICLR 2026";
constexpr std::string_view kKynkaanniemi = "Kynkäänniemi et al., NeurIPS 2019";

constexpr auto kWord = GlossaryEntry::Kind::Word;

constexpr std::array kWords{
    GlossaryEntry{kWord, "k", "k",
                  "How many nearest neighbours span a ball: 5 unless set otherwise. A larger k makes larger balls and "
                  "steadier scores.",
                  "", ""},
    GlossaryEntry{kWord, "embedding", "Embedding",
                  "The row of numbers that stands for a sample, often the output of a neural network. Samples are "
                  "compared by the distances between their embeddings.",
                  "", ""},
    GlossaryEntry{kWord, "distance", "Distance",
                  "Euclidean distance between two embeddings, in the embedding's unit. Only ratios of distances can be "
                  "compared between embeddings.",
                  "|x - y| = sqrt(sum over features of (x - y)^2)", ""},
    GlossaryEntry{kWord, "ball", "Ball",
                  "The neighbourhood of a sample: everything that is at least as close to it as its k-th nearest "
                  "neighbour of its own set. Samples in a real sample's ball look like that sample.",
                  "ball of r_i: all x with |x - r_i| <= NNDr_k(r_i)", kKynkaanniemi},
    GlossaryEntry{kWord, "clipped_ball", "Clipped ball",
                  "A real ball whose radius is cut to the median radius where it is larger. Isolated real samples have "
                  "huge balls, in which almost anything would count as realistic.",
                  "all x with |x - r_i| <= R_i, R_i = min(NNDr_k(r_i), median over l of NNDr_k(r_l))", kSalvy},
    GlossaryEntry{
        kWord, "exact", "Exact",
        "Neighbours are found without approximation: every list is the one that comparing all pairs in double "
        "precision gives. How they were found (by matrix products, a tree, a graphics card) changes the time, "
        "never a score.",
        "", ""},
    GlossaryEntry{kWord, "held_out", "Held-out set",
                  "Real samples that no model was trained on. They show how good samples score, and which models copy.",
                  "", ""},
    GlossaryEntry{kWord, "good", "Good",
                  "Verdict on a synthetic sample: nothing tells it from a real one. It does not prove that the sample "
                  "is perfect.",
                  "q-value above the chosen rate", kBates},
    GlossaryEntry{kWord, "copy", "Copy",
                  "Verdict on a synthetic sample: far closer to one real sample than to any other, which means copying "
                  "only if the model was trained on the real set.",
                  "flagged at the chosen rate, the copy test the strongest of the three", kBates},
    GlossaryEntry{kWord, "unrealistic", "Unrealistic",
                  "Verdict on a synthetic sample: farther from the real samples than these are from each other.",
                  "flagged at the chosen rate, no copy, and p_unrealistic <= 0.0033 or as small as it can be", kBates},
    GlossaryEntry{kWord, "invented", "Invented",
                  "Verdict on a synthetic sample: the model makes many samples like it, where there are almost no real "
                  "ones.",
                  "flagged at the chosen rate, no copy, not unrealistic, and most of it and its k' nearest synthetic "
                  "samples lie in no real ball",
                  kBates},
    GlossaryEntry{kWord, "crowded", "Crowded",
                  "Verdict on a synthetic sample: there is real data where it lies, but the model makes far too many "
                  "samples there.",
                  "flagged at the chosen rate, and none of the other verdicts", kBates},
    GlossaryEntry{
        kWord, "missed", "Missed",
        "Verdict on a real sample: the model is far too sparse there, and no synthetic sample lies in its ball.",
        "q-value, missed, at most the chosen rate, and no s_j with |s_j - r_i| <= NNDr_k(r_i)", kBates},
    GlossaryEntry{kWord, "thin", "Thin",
                  "Verdict on a real sample: the model is far too sparse there, but some synthetic samples lie in its "
                  "ball.",
                  "q-value, missed, at most the chosen rate, and some s_j with |s_j - r_i| <= NNDr_k(r_i)", kBates},
    GlossaryEntry{kWord, "covered", "Covered", "Verdict on a real sample: the model makes samples like it.",
                  "q-value, missed, above the chosen rate", kBates},
    GlossaryEntry{kWord, "p_value", "p-value",
                  "How often a real sample looks at least as suspicious as this one. 0.01: one real sample in a "
                  "hundred.",
                  "(1 + number of real samples at least as extreme) / (1 + N)", kBates},
    GlossaryEntry{kWord, "false_discovery_rate", "False discovery rate",
                  "Of the samples called bad, the share that should be good ones: at most 5 % unless set otherwise.",
                  "expected share of good samples among those with q-value <= rate", kBenjamini},
    GlossaryEntry{kWord, "interval", "95 % interval",
                  "Where the score would lie with other samples of the same kind, in 95 of 100 cases.",
                  "figure +- 2.06 deviations of a jackknife of 25 groups per side, or percentiles of 1,000 resamples",
                  ""},
    GlossaryEntry{kWord, "pair_ratio", "Ratio of a pair",
                  "Distance between two samples relative to how far real samples are from each other there. 0 is an "
                  "exact copy, 1 is as far apart as real samples.",
                  "|s_j - r*| / NNDr_1(r*), r* = the real sample nearest to s_j", ""},
    GlossaryEntry{kWord, "feature_distance", "Difference of a feature",
                  "How far the values of one feature are apart in the two sets, in standard deviations of the real "
                  "feature. 0: the same values equally often.",
                  "Wasserstein distance: integral of |F_r(x) - F_s(x)| dx / deviation, F = cumulative distributions",
                  ""},
    GlossaryEntry{kWord, "confusion_matrix", "Confusion matrix",
                  "How often a classifier takes samples of one class (rows) for another (columns). On the diagonal it "
                  "is right.",
                  "number of real samples of class a with argmax over c of P_S(c | r_i) = b", ""},
    GlossaryEntry{kWord, "exposed", "Exposed",
                  "Said of a real sample that lies nearer to the synthetic set than 99 % of the held-out samples: "
                  "someone who holds the synthetic set can tell that the model was trained on it.",
                  "NNDs_1(r_i) below the 1 % quantile of NNDs_1 over the held-out samples", kChen},
    GlossaryEntry{kWord, "correlation_difference", "Difference of a correlation",
                  "How differently two features go together in the two sets. From -2 to 2; 0: as in the real set.",
                  "r_s - r_r, r = Pearson's correlation of the two features in a set", ""},
    GlossaryEntry{kWord, "total_variation", "Total variation distance",
                  "Share of the samples that would have to change their category for the categories of a column to be "
                  "as frequent as in the real set. 0: as frequent; 1: no category in common.",
                  "sum over categories of |p_r - p_s| / 2, p = share of a set's samples", ""},
};

constexpr std::array kSymbols{
    GlossarySymbol{"r_1 .. r_N", "real samples"},
    GlossarySymbol{"s_1 .. s_M", "synthetic samples of one model"},
    GlossarySymbol{"d", "number of features of the embedding"},
    GlossarySymbol{"NNDr_k(x)", "distance from x to its k-th nearest real sample other than x"},
    GlossarySymbol{"NNDs_k(x)", "distance from x to its k-th nearest synthetic sample other than x"},
    GlossarySymbol{"R_i", "radius of the clipped ball of r_i: min(NNDr_k(r_i), median over l of NNDr_k(r_l))"},
    GlossarySymbol{"h(D, n)", "log n - psi(k) + log c_d + d log D: estimated entropy in nats, where the k-th of n "
                              "neighbours is at distance D; psi = digamma function, c_d = volume of the unit ball"},
    GlossarySymbol{"H(R)", "entropy of the real set: mean over i of h(NNDr_k(r_i), N - 1)"},
};

} // namespace

std::span<const GlossaryEntry> glossaryWords() {
    return kWords;
}

std::span<const GlossarySymbol> glossarySymbols() {
    return kSymbols;
}

} // namespace assay
