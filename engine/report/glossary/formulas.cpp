#include "engine/report/glossary/formulas.h"

#include <array>

namespace assay::glossary_parts {
namespace {

constexpr std::array kMetricFormulas{
    Formula{"clipped_density",
            "min(1, A / B), A = mean over j of fidelity_j, B = the same mean for the r_i, each in the balls of the "
            "other real samples"},
    Formula{"clipped_coverage",
            "(number of m in 0 .. M with f(m) < mean over i of coverage_i) / (M + 1), f(m) = mean coverage expected of "
            "m good samples"},
    Formula{"authenticity", "share of s_j with |s_j - r*| > NNDr_1(r*), r* = the real sample nearest to s_j"},
    Formula{"pce", "mean over j of h(NNDr_k(s_j), N) - H(R)"},
    Formula{"rce", "mean over i of h(NNDs_k(r_i), M) - H(R)"},
    Formula{"re", "mean over j of h(NNDs_k(s_j), M - 1) - H(R)"},
    Formula{"precision", "share of s_j with |s_j - r_i| <= NNDr_k(r_i) for some i"},
    Formula{"recall", "share of r_i with |r_i - s_j| <= NNDs_k(s_j) for some j"},
    Formula{"density", "(1/k) mean over j of (number of i with |s_j - r_i| <= NNDr_k(r_i))"},
    Formula{"coverage", "share of r_i with |s_j - r_i| <= NNDr_k(r_i) for some j"},
    Formula{"sym_precision", "min(precision, share of s_j with |r_i - s_j| <= NNDs_k(s_j) for some i)"},
    Formula{"sym_recall", "min(recall, coverage)"},
    Formula{"clipped_density_unclipped", "A / B, with A and B of clipped density"},
    Formula{"clipped_density_unnormalized", "A = mean over j of fidelity_j"},
    Formula{"clipped_density_real",
            "B = mean over i of min(1, (number of l other than i with |r_i - r_l| <= R_l) / k)"},
    Formula{"clipped_coverage_unnormalized", "mean over i of coverage_i"},
    Formula{"density_clipped_radii", "(1/k) mean over j of (number of i with |s_j - r_i| <= R_i)"},
    Formula{"over_occurring_fraction", "share of s_j with |s_j - r_i| <= NNDr_k(r_i) for more than k of the i"},
    Formula{"over_occurring_fraction_clipped_radii", "share of s_j with |s_j - r_i| <= R_i for more than k of the i"},
    Formula{"real_entropy", "H(R) = mean over i of h(NNDr_k(r_i), N - 1)"},
    Formula{"degenerate_neighbors",
            "number of i with NNDr_k(r_i) = 0 or NNDs_k(r_i) = 0 and of j with NNDr_k(s_j) = 0 or NNDs_k(s_j) = 0, "
            "each table counted for itself"},
    Formula{"nn_accuracy",
            "(share of s_j with NNDs_1(s_j) < NNDr_1(s_j) + share of r_i with NNDr_1(r_i) < NNDs_1(r_i)) / 2; a tie "
            "counts 1/2"},
    Formula{"intrinsic_dimension", "1 / mean over j and l < k of log(NNDs_k(s_j) / NNDs_l(s_j))"},
    Formula{"intrinsic_dimension_real", "1 / mean over i and l < k of log(NNDr_k(r_i) / NNDr_l(r_i))"},
    Formula{"two_nn_dimension", "1 / mean over j of log(NNDs_2(s_j) / NNDs_1(s_j))"},
    Formula{"two_nn_dimension_real", "1 / mean over i of log(NNDr_2(r_i) / NNDr_1(r_i))"},
    Formula{"integrated_alpha_precision", "1 - 2 mean over alpha of |alpha - P(alpha)|, P = the alpha-precision curve"},
    Formula{"integrated_beta_recall", "1 - 2 mean over beta of |beta - R(beta)|, R = the beta-recall curve"},
    Formula{"integrated_alpha_precision_one_class",
            "1 - 2 mean over alpha of |alpha - P(alpha)|, P = the alpha-precision curve of the one-class embedding"},
    Formula{"integrated_beta_recall_one_class",
            "1 - 2 mean over beta of |beta - R(beta)|, R = the beta-recall curve of the one-class embedding"},
    Formula{"p_precision",
            "mean over j of 1 - product over i with |s_j - r_i| <= A of |s_j - r_i| / A, A = 1.2 mean over i of "
            "NNDr_k(r_i)"},
    Formula{"p_recall",
            "mean over i of 1 - product over j with |r_i - s_j| <= A of |r_i - s_j| / A, A = 1.2 mean over j of "
            "NNDs_k(s_j)"},
    Formula{"precision_cover", "share of s_j with NNDr_k'(s_j) <= NNDs_Ck'(s_j), k' = C = 3 unless set otherwise"},
    Formula{"recall_cover", "share of r_i with NNDs_k'(r_i) <= NNDr_Ck'(r_i), k' = C = 3 unless set otherwise"},
    Formula{"realism", "median over j of realism_j"},
    Formula{"rarity", "mean over the s_j inside some real ball of rarity_j"},
    Formula{"rarity_outside", "share of s_j with |s_j - r_i| > NNDr_k(r_i) for all i"},
    Formula{"ct_score",
            "mean of Z_U over regions of the real set, weighted by the held-out samples in each; distances within the "
            "region"},
    Formula{"ct_score_global",
            "(U - (M H / 2 - 1/2)) / sqrt(M H (M + H + 1) / 12), U = number of pairs of a synthetic and one of the H "
            "held-out samples in which the synthetic one is farther from its nearest real sample"},
    Formula{"fld", "100 (NLL of the held-out set - the same for one half of the real set in place of the synthetic "
                   "one, fitted to the other half), NLL = negative log-likelihood per feature"},
    Formula{"fld_gap", "100 (NLL of the real set - NLL of the held-out set)"},
    Formula{"frechet_distance",
            "|m_r - m_s|^2 + tr C_r + tr C_s - 2 tr (C_r C_s)^(1/2), m = means, C = covariances of the two sets"},
    Formula{"kernel_distance",
            "mean of K(r, r') + mean of K(s, s') - 2 mean of K(r, s) within subsets, K(x, y) = (x . y / d + 1)^3"},
    Formula{"kernel_distance_std", "standard deviation of the kernel distance over its subsets"},
    Formula{"vendi_score",
            "exp(- sum over l of e_l log e_l), e_l = eigenvalues of the cosines between the synthetic samples, "
            "divided by M"},
    Formula{"vendi_score_real", "exp(- sum over l of e_l log e_l), e_l = eigenvalues of the cosines between the real "
                                "samples, divided by N"},
    Formula{"topp_fidelity", "(number of s_j with u_S(s_j) > c_S and u_R(s_j) > c_R) / (number of s_j with u_S(s_j) > "
                             "c_S), u = kernel density of a set, c = its bootstrap threshold"},
    Formula{"topr_diversity", "(number of r_i with u_R(r_i) > c_R and u_S(r_i) > c_S) / (number of r_i with u_R(r_i) "
                              "> c_R), u = kernel density of a set, c = its bootstrap threshold"},
    Formula{"top_f1", "2 F D / (F + D), F = TopP&R fidelity, D = TopP&R diversity"},
    Formula{"verdict_rejected", "share of s_j with q_j <= 0.05, or the rate that was chosen"},
    Formula{"verdict_unrealistic", "share of s_j with the verdict unrealistic"},
    Formula{"verdict_copy", "share of s_j with the verdict copy"},
    Formula{"verdict_invented", "share of s_j with the verdict invented"},
    Formula{"verdict_crowded", "share of s_j with the verdict crowded"},
    Formula{"bad_share",
            "share of s_j with a verdict other than good + max(0, Storey's estimate beyond it from p_any, of "
            "what neither classes, regions nor combinations with too many samples explain)"},
    Formula{"coverage_missed", "share of r_i with the verdict missed or thin"},
    Formula{"utility_accuracy", "share of test samples t with argmax over c of P_S(c | t) = class of t, P_S = logistic "
                                "regression trained on the synthetic set"},
    Formula{"utility_auc",
            "mean over classes c, weighted by their share of the test samples, of the AUC of P_S(c | t), "
            "P_S = logistic regression trained on the synthetic set"},
    Formula{"real_utility_accuracy", "as utility, accuracy, of logistic regression trained on the real set"},
    Formula{"real_utility_auc", "as utility, AUC, of logistic regression trained on the real set"},
    Formula{"utility_r2",
            "1 - sum of (y - f_S(t))^2 / sum of (y - mean of y)^2 over test samples t with label y, f_S = "
            "ridge regression trained on the synthetic set"},
    Formula{"real_utility_r2", "as utility, R^2, of ridge regression trained on the real set"},
    Formula{"membership_auc", "share of pairs of a real sample r_i and a held-out sample h with NNDs_1(r_i) < "
                              "NNDs_1(h), those with = counted half"},
    Formula{"membership_tpr_1",
            "share of r_i with NNDs_1(r_i) < t, t = the largest distance with at most 1 % of NNDs_1(h) below it"},
    Formula{"dcr_5", "5th percentile of NNDr_1(s_j) over j"},
    Formula{"dcr_median", "median of NNDr_1(s_j) over j"},
    Formula{"nndr_5", "5th percentile of NNDr_1(s_j) / NNDr_2(s_j) over j"},
    Formula{"nndr_median", "median of NNDr_1(s_j) / NNDr_2(s_j) over j"},
    Formula{"dcr_5_held_out", "5th percentile of NNDr_1(h) over the held-out samples h"},
    Formula{"dcr_median_held_out", "median of NNDr_1(h) over the held-out samples h"},
    Formula{"nndr_5_held_out", "5th percentile of NNDr_1(h) / NNDr_2(h) over the held-out samples h"},
    Formula{"nndr_median_held_out", "median of NNDr_1(h) / NNDr_2(h) over the held-out samples h"},
};

constexpr std::array kSyntheticFormulas{
    Formula{"fidelity", "fidelity_j = min(1, (number of i with |s_j - r_i| <= R_i) / k)"},
    Formula{"clipped_ball_count", "number of i with |s_j - r_i| <= R_i"},
    Formula{"pce", "h(NNDr_k(s_j), N) - H(R)"},
    Formula{"authentic", "|s_j - r*| > NNDr_1(r*), r* = the real sample nearest to s_j"},
    Formula{"nearest_real", "the i with the smallest |s_j - r_i|"},
    Formula{"nearest_real_distance", "NNDr_1(s_j)"},
    Formula{"re", "h(NNDs_k(s_j), M - 1) - H(R)"},
    Formula{"ball_count", "number of i with |s_j - r_i| <= NNDr_k(r_i)"},
    Formula{"typicality", "share of r_i with |r_i - c| < |s_j - c|, c = mean of the real samples, interpolated between "
                          "the r_i; beyond all of them |s_j - c| / max over i of |r_i - c|"},
    Formula{"centre_distance", "|s_j - c|, c = mean of the real samples"},
    Formula{"typicality_one_class", "as typicality, of the embedded samples, c = (1, .., 1)"},
    Formula{"centre_distance_one_class", "|phi(s_j) - c|, phi = the one-class network, c = (1, .., 1)"},
    Formula{"realism", "realism_j = max of NNDr_k(r_i) / |s_j - r_i| over i with NNDr_k(r_i) below the median radius"},
    Formula{"rarity", "rarity_j = min of NNDr_k(r_i) over i with |s_j - r_i| <= NNDr_k(r_i)"},
    Formula{"p_precision",
            "1 - product over i with |s_j - r_i| <= A of |s_j - r_i| / A, A = 1.2 mean over i of NNDr_k(r_i)"},
    Formula{"ball_holds_real", "NNDr_1(s_j) <= NNDs_k(s_j)"},
    Formula{"precision_covered", "NNDr_k'(s_j) <= NNDs_Ck'(s_j), k' = C = 3 unless set otherwise"},
    Formula{"nearest_is_synthetic", "1 for NNDs_1(s_j) < NNDr_1(s_j), 0 for >, 1/2 for ="},
    Formula{"verdict",
            "good for q_j above the chosen rate, else copy, unrealistic, invented or crowded, see these words"},
    Formula{"p_any", "p_j = rank of the largest of the three tail scores of s_j among those of good samples"},
    Formula{"evidence", "(t - median of t over good samples) / (extreme of t - median of t), t = the largest of the "
                        "three tail scores"},
    Formula{"q_any", "q_j = min over l with p_l >= p_j of M p_l / (number of p-values <= p_l)"},
    Formula{"p_unrealistic",
            "(1 + number of good samples g with NNDr_k(g) >= NNDr_k(s_j)) / (1 + number of good samples)"},
    Formula{"p_over_represented",
            "(1 + number of i with log density ratio of r_i >= log density ratio of s_j) / (1 + N)"},
    Formula{"p_copy", "(1 + number of i with copy ratio of r_i <= copy ratio of s_j) / (1 + N)"},
    Formula{"log_density_ratio", "d log(NNDr_20(s_j) / NNDs_20(s_j))"},
    Formula{"copy_ratio", "NNDr_1(s_j) / NNDr_2(s_j), near repeats of one real sample counted once"},
};

constexpr std::array kRealFormulas{
    Formula{"utility_correct", "argmax over c of P_S(c | r_i) = class of r_i, P_S = logistic regression trained on the "
                               "synthetic set"},
    Formula{"utility_probability", "P_S(class of r_i | r_i), P_S = logistic regression trained on the synthetic set"},
    Formula{"membership_rank", "share of the held-out samples h with NNDs_1(h) > NNDs_1(r_i)"},
    Formula{"coverage", "coverage_i = min(1, (number of j with |s_j - r_i| <= NNDr_k(r_i)) / k)"},
    Formula{"ball_synthetic_count", "number of j with |s_j - r_i| <= NNDr_k(r_i)"},
    Formula{"rce", "h(NNDs_k(r_i), M) - H(R)"},
    Formula{"nearest_synthetic_distance", "NNDs_1(r_i)"},
    Formula{"real_centre_distance", "|r_i - c|, c = mean of the real samples"},
    Formula{"beta_covered", "NNDs_1(r_i) <= NNDr_1(r_i)"},
    Formula{"real_centre_distance_one_class", "|phi(r_i) - c|, phi = the one-class network, c = (1, .., 1)"},
    Formula{"beta_covered_one_class", "NNDs_1(r_i) <= NNDr_1(r_i) of the embedded samples"},
    Formula{"p_recall",
            "1 - product over j with |r_i - s_j| <= A of |r_i - s_j| / A, A = 1.2 mean over j of NNDs_k(s_j)"},
    Formula{"nearest_is_real", "1 for NNDr_1(r_i) < NNDs_1(r_i), 0 for >, 1/2 for ="},
    Formula{"synthetic_ball_count", "number of j with |r_i - s_j| <= NNDs_k(s_j)"},
    Formula{"real_clipped_ball_count", "number of l other than i with |r_i - r_l| <= R_l"},
    Formula{"recall_covered", "NNDs_k'(r_i) <= NNDr_Ck'(r_i), k' = C = 3 unless set otherwise"},
    Formula{"coverage_verdict",
            "covered for q_i above the chosen rate, else missed if no s_j lies in the ball of r_i, else thin"},
    Formula{"p_uncovered",
            "rank of the log coverage ratio of r_i among those of random draws of the labels real and synthetic"},
    Formula{"q_uncovered", "q_i = min over l with p_l >= p_i of N p_l / (number of p-values <= p_l)"},
    Formula{"coverage_ratio", "d log(NNDs_k(r_i) / NNDr_k(r_i))"},
};

constexpr std::array kCurveFormulas{
    Formula{"k_sensitivity", "each metric as a function of k"},
    Formula{"coverage_calibration",
            "f(m) = 1 - (1/k) sum over l < k of (k - l) P(C = l), C ~ BetaBinomial(m; k, N - k), against m / M"},
    Formula{"alpha_precision_curve",
            "P(alpha) = share of s_j with |s_j - c| <= the alpha-quantile of |r_i - c|, c = mean of the real samples"},
    Formula{"beta_recall_curve",
            "R(beta) = share of r_i with |r_i - s*| <= NNDr_1(r_i) and |s* - m| <= the beta-quantile of |s* - m|, s* = "
            "the synthetic sample nearest to r_i, m = mean of the synthetic samples"},
    Formula{"alpha_precision_curve_one_class", "P(alpha) of the embedded samples, c = (1, .., 1)"},
    Formula{"beta_recall_curve_one_class", "R(beta) of the embedded samples"},
    Formula{"one_class_training", "mean of |phi(r_i) - c|^2 / nu, phi = the network, c = (1, .., 1), nu = 0.01"},
    Formula{"bad_fraction", "each metric of a set with the share x of bad samples"},
    Formula{"bad_fraction_relative", "metric(x) / metric(0); of PCE, RCE and RE metric(x) - metric(0)"},
    Formula{"bad_fraction_coverage", "mean over i of coverage_i, f(m) and clipped coverage, m = (1 - x) M"},
    Formula{"sample_size", "mean of each metric over random parts of both sets"},
    Formula{"useful_by_discard", "utility and membership without the share x of the samples that are worst by one "
                                 "score, and without as many drawn at random"},
    Formula{"discard", "each metric without the share x of the samples that are worst by one score"},
    Formula{"pce_re_tradeoff", "PCE and RE without the share x of the samples of highest PCE"},
    Formula{"removal_frontier", "clipped density and clipped coverage without a share x of the samples"},
};

} // namespace

std::span<const Formula> metricFormulas() {
    return kMetricFormulas;
}
std::span<const Formula> syntheticFormulas() {
    return kSyntheticFormulas;
}
std::span<const Formula> realFormulas() {
    return kRealFormulas;
}
std::span<const Formula> curveFormulas() {
    return kCurveFormulas;
}

} // namespace assay::glossary_parts
