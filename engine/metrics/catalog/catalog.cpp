#include "engine/metrics/catalog/catalog.h"

#include "engine/base/find_by.h"
#include "engine/metrics/balls/ball_scores.h"
#include "engine/metrics/balls/k_sensitivity.h"
#include "engine/metrics/balls/near_pairs.h"
#include "engine/metrics/embedding/frechet_infinity.h"
#include "engine/metrics/embedding/row_scores.h"
#include "engine/metrics/entropy/entropy.h"
#include "engine/metrics/held_out/copy_test.h"
#include "engine/metrics/held_out/feature_likelihood.h"
#include "engine/metrics/held_out/membership.h"
#include "engine/metrics/one_class/alpha_beta.h"
#include "engine/metrics/resampling/averages.h"
#include "engine/metrics/set_tests/set_tests.h"
#include "engine/metrics/tables/column_values.h"
#include "engine/metrics/tables/row_functions.h"
#include "engine/metrics/utility/utility.h"
#include "engine/metrics/verdicts/group_tests.h"
#include "engine/metrics/verdicts/verdicts.h"

#include <algorithm>
#include <array>

namespace assay {
namespace {

constexpr std::string_view kBates = "Bates, Candès, Lei, Romano, Sesia, Annals of Statistics 2023";
constexpr std::string_view kBenjamini = "Benjamini, Hochberg, JRSS B 1995";
constexpr std::string_view kStorey = "Storey, JRSS B 2002";
constexpr std::string_view kChen = "Chen, Yu, Zhang, Fritz, CCS 2020";
constexpr std::string_view kSalvy = "Salvy, Talbot, Thirion, ICLR 2026";
constexpr std::string_view kFox = "Fox, Swarup, Adiga, AAAI 2025";
constexpr std::string_view kAlaa = "Alaa et al., ICML 2022";
constexpr std::string_view kNaeem = "Naeem et al., ICML 2020";
constexpr std::string_view kKynkaanniemi = "Kynkäänniemi et al., NeurIPS 2019";
constexpr std::string_view kPark = "Park, Kim, ICCV 2023";
constexpr std::string_view kCheema = "Cheema, Urner, AISTATS 2023";
constexpr std::string_view kHan = "Han et al., ICLR 2023";
constexpr std::string_view kMeehan = "Meehan, Chaudhuri, Dasgupta, AISTATS 2020";
constexpr std::string_view kJiralerspong = "Jiralerspong et al., NeurIPS 2023";
constexpr std::string_view kFacco = "Facco et al., Scientific Reports 2017";
constexpr std::string_view kLevina = "Levina, Bickel, NeurIPS 2004";
constexpr std::string_view kLopezPaz = "Lopez-Paz, Oquab, ICLR 2017";
constexpr std::string_view kKhayatkhoei = "Khayatkhoei, AbdAlmageed, ICML 2023";
constexpr std::string_view kHeusel = "Heusel et al., NeurIPS 2017";
constexpr std::string_view kChong = "Chong, Forsyth, CVPR 2020";
constexpr std::string_view kJayasumana = "Jayasumana et al., CVPR 2024";
constexpr std::string_view kChung = "Chung et al., 2025";
constexpr std::string_view kBerthet = "Berthet et al., 2026";
constexpr std::string_view kKoh = "Koh, Liang, ICML 2017";
constexpr std::string_view kBinkowski = "Bińkowski et al., ICLR 2018";
constexpr std::string_view kFriedman = "Friedman, Dieng, TMLR 2023";
constexpr std::string_view kKim = "Kim, Jang, Kim, Yoo, NeurIPS 2023";

using namespace needs;
using enum Unit;
using enum Direction;

template <ColumnFunction values>
constexpr const Average* kSyntheticMean = &kMeanOf<Side::Synthetic, values>;
template <ColumnFunction values>
constexpr const Average* kRealMean = &kMeanOf<Side::Real, values>;

constexpr std::array kMetrics{
    Metric{"clipped_density", "Clipped density", Share, Higher,
           "Fidelity of the whole set: as good as a set with this share of good samples. Mean fidelity relative to "
           "that of the real samples themselves, at most 1.",
           "min(1, A / B), A = mean over j of fidelity_j, B = the same mean for the r_i, each in the balls of the "
           "other real samples",
           kSalvy, metrics::clippedDensity, kTables, &averages::kClippedDensity},
    Metric{"clipped_coverage", "Clipped coverage", Share, Higher,
           "Coverage of the real set: as good as a set with this share of good samples. Mean coverage, calibrated "
           "against what that many good samples would reach.",
           "(number of m in 0 .. M with f(m) < mean over i of coverage_i) / (M + 1), f(m) = mean coverage expected of "
           "m good samples",
           kSalvy, metrics::clippedCoverage, kTables, &averages::kClippedCoverage},
    Metric{"authenticity", "Authenticity", Share, Higher,
           "Share of synthetic samples that are farther from their nearest real sample than that one is from its own "
           "nearest real neighbour. Low values mean copied training data.",
           "share of s_j with |s_j - r*| > NNDr_1(r*), r* = the real sample nearest to s_j", kAlaa,
           meanOf<metrics::authentic>, kTables, kSyntheticMean<metrics::authentic>, true,
           "memorisation, memorization, copying"},
    Metric{"pce", "PCE", Nats, NearestToZero,
           "Precision cross-entropy: how surprising the synthetic samples are under the real distribution, in nats "
           "above the real set's own entropy. 0 is ideal; very low values mean near-copies.",
           "mean over j of h(NNDr_k(s_j), N) - H(R)", kFox, meanOf<metrics::pcePerSample>, kTables, &averages::kPce,
           true, "precision cross-entropy"},
    Metric{"rce", "RCE", Nats, NearestToZero,
           "Recall cross-entropy: how surprising the real samples are under the synthetic distribution, in nats above "
           "the real set's own entropy. 0 is ideal; high values mean that real samples are missed.",
           "mean over i of h(NNDs_k(r_i), M) - H(R)", kFox, meanOf<metrics::rcePerSample>, kTables, &averages::kRce,
           true, "recall cross-entropy"},
    Metric{"re", "RE", Nats, NearestToZero,
           "Recall entropy: the synthetic set's entropy minus the real set's, in nats. 0 is ideal: as diverse as the "
           "real set. Below 0 the synthetic set is less diverse, above 0 it is more scattered.",
           "mean over j of h(NNDs_k(s_j), M - 1) - H(R)", kFox, meanOf<metrics::rePerSample>, kTables, &averages::kRe,
           true, "recall entropy"},
    Metric{"precision", "Precision", Share, Higher, "Share of synthetic samples inside at least one real ball.",
           "share of s_j with |s_j - r_i| <= NNDr_k(r_i) for some i", kKynkaanniemi, metrics::precision, kTables,
           kSyntheticMean<isAboveZero<&PairTables::synthetic, &SideResult::holding>>, true, "improved precision, IPR"},
    Metric{"recall", "Recall", Share, Higher, "Share of real samples inside at least one synthetic ball.",
           "share of r_i with |r_i - s_j| <= NNDs_k(s_j) for some j", kKynkaanniemi, metrics::recall, kTables,
           kRealMean<isAboveZero<&PairTables::real, &SideResult::holding>>, true, "improved recall, IPR"},
    Metric{"density", "Density", Ratio, NearestToOne,
           "Mean number of real balls that hold a synthetic sample, divided by k. 1 is ideal: what the real samples "
           "themselves reach. Above 1 the samples crowd in dense regions, or outliers with large balls inflate it.",
           "(1/k) mean over j of (number of i with |s_j - r_i| <= NNDr_k(r_i))", kNaeem, metrics::density, kTables,
           &averages::kDensity, false, "PRDC"},
    Metric{"coverage", "Coverage", Share, Higher, "Share of real samples whose ball holds a synthetic sample.",
           "share of r_i with |s_j - r_i| <= NNDr_k(r_i) for some j", kNaeem, metrics::coverage, kTables,
           kRealMean<isAboveZero<&PairTables::real, &SideResult::inside>>, true, "PRDC"},
    Metric{"sym_precision", "Symmetric precision", Share, Higher,
           "The smaller of precision and the share of synthetic samples whose own ball holds a real sample.",
           "min(precision, share of s_j with |r_i - s_j| <= NNDs_k(s_j) for some i)", kKhayatkhoei,
           metrics::symPrecision, kTables, &averages::kSymPrecision},
    Metric{"sym_recall", "Symmetric recall", Share, Higher, "The smaller of recall and coverage.",
           "min(recall, coverage)", kKhayatkhoei, metrics::symRecall, kTables, &averages::kSymRecall},
    Metric{"clipped_density_unclipped", "Clipped density, uncapped", Ratio, NearestToOne,
           "Clipped density before it is capped at 1, which is ideal. Above 1 the generator avoids the thin regions of "
           "the real set.",
           "A / B, with A and B of clipped density", kSalvy, metrics::clippedDensityUnclipped, kTables,
           &averages::kClippedDensityUnclipped, false},
    Metric{"clipped_density_unnormalized", "Mean fidelity", Share, Higher, "Mean of the per-sample fidelity.",
           "A = mean over j of fidelity_j", kSalvy, metrics::clippedDensityUnnormalized, kTables,
           kSyntheticMean<metrics::fidelity>},
    Metric{"clipped_density_real", "Mean fidelity of the real set", Share, Neutral,
           "Mean fidelity of the real samples themselves, each counted in the balls of the others. Clipped density "
           "divides by it.",
           "B = mean over i of min(1, (number of l other than i with |r_i - r_l| <= R_l) / k)", kSalvy,
           metrics::clippedDensityReal, kTables, &averages::kClippedDensityReal},
    Metric{"clipped_coverage_unnormalized", "Mean coverage", Share, Higher, "Mean of the per-sample coverage.",
           "mean over i of coverage_i", kSalvy, metrics::clippedCoverageUnnormalized, kTables,
           &averages::kClippedCoverageUnnormalized},
    Metric{"density_clipped_radii", "Density with clipped radii", Ratio, Neutral,
           "Density with every ball's radius capped at the median radius. Real samples themselves reach less than 1.",
           "(1/k) mean over j of (number of i with |s_j - r_i| <= R_i)", kSalvy, metrics::densityClippedRadii, kTables,
           &averages::kDensityClippedRadii, false},
    Metric{"over_occurring_fraction", "Over-occurring", Share, Lower,
           "Share of synthetic samples inside more than k real balls.",
           "share of s_j with |s_j - r_i| <= NNDr_k(r_i) for more than k of the i", kSalvy,
           metrics::overOccurringFraction, kTables,
           kSyntheticMean<isAboveK<&PairTables::synthetic, &SideResult::holding>>},
    Metric{"over_occurring_fraction_clipped_radii", "Over-occurring, clipped radii", Share, Lower,
           "Share of synthetic samples inside more than k clipped real balls.",
           "share of s_j with |s_j - r_i| <= R_i for more than k of the i", kSalvy,
           metrics::overOccurringFractionClippedRadii, kTables,
           kSyntheticMean<isAboveK<&PairTables::synthetic, &SideResult::innerHolding>>},
    Metric{"real_entropy", "Entropy of the real set", Nats, Neutral,
           "Differential entropy of the real set, estimated from the distances to the k-th nearest neighbour. PCE, RCE "
           "and RE are measured from it.",
           "H(R) = mean over i of h(NNDr_k(r_i), N - 1)", kFox, memberOf<&RealAnalysis::entropy>, kTables,
           &averages::kRealEntropy},
    Metric{"degenerate_neighbors", "Degenerate neighbours", Count, Lower,
           "Number of distances to a k-th nearest neighbour that are zero because of duplicates. The entropies use the "
           "smallest positive distance instead.",
           "number of i with NNDr_k(r_i) = 0 or NNDs_k(r_i) = 0 and of j with NNDr_k(s_j) = 0 or NNDs_k(s_j) = 0, each "
           "table counted for itself",
           kFox, metrics::degenerateNeighbors},
    Metric{
        "nn_accuracy", "Nearest-neighbour accuracy", Share, NearestToHalf,
        "How often the sample nearest to a sample, real or synthetic, is from the same set; averaged over both sets. "
        "0.5: the sets cannot be told apart. Near 1: they can. Below 0.5: synthetic samples are copies of real ones.",
        "(share of s_j with NNDs_1(s_j) < NNDr_1(s_j) + share of r_i with NNDr_1(r_i) < NNDs_1(r_i)) / 2; a tie counts "
        "1/2",
        kLopezPaz, metrics::nearestNeighborAccuracy, kTables, nullptr, true,
        "1-NN accuracy, 1-NNA, two-sample test, C2ST, classifier two-sample test"},
    Metric{"intrinsic_dimension", "Intrinsic dimension", Ratio, Neutral,
           "In how many directions neighbouring synthetic samples vary, estimated from how the distances to the k "
           "nearest grow. Far below the real set's: the model varies in too few ways.",
           "1 / mean over j and l < k of log(NNDs_k(s_j) / NNDs_l(s_j))", kLevina, metrics::intrinsicDimension, kTables,
           nullptr, true, "ID, LID"},
    Metric{"intrinsic_dimension_real", "Intrinsic dimension, real set", Ratio, Neutral,
           "In how many directions neighbouring real samples vary, estimated from how the distances to the k nearest "
           "grow.",
           "1 / mean over i and l < k of log(NNDr_k(r_i) / NNDr_l(r_i))", kLevina, metrics::intrinsicDimensionReal},
    Metric{"two_nn_dimension", "Intrinsic dimension, TwoNN", Ratio, Neutral,
           "In how many directions neighbouring synthetic samples vary, estimated from the two nearest neighbours "
           "alone: more local than from k of them, and noisier.",
           "1 / mean over j of log(NNDs_2(s_j) / NNDs_1(s_j))", kFacco, metrics::twoNearestDimension},
    Metric{"two_nn_dimension_real", "TwoNN dimension, real set", Ratio, Neutral,
           "In how many directions neighbouring real samples vary, estimated from the two nearest neighbours alone.",
           "1 / mean over i of log(NNDr_2(r_i) / NNDr_1(r_i))", kFacco, metrics::twoNearestDimensionReal},
    Metric{"integrated_alpha_precision", "Integrated alpha-precision", Share, Higher,
           "1 minus twice the area between the alpha-precision curve and the diagonal. 1: every ball around the real "
           "set's centre holds the same share of the synthetic as of the real samples.",
           "1 - 2 mean over alpha of |alpha - P(alpha)|, P = the alpha-precision curve", kAlaa,
           metrics::inEmbedding<IdentityEmbedding, metrics::integratedAlphaPrecision>, kSamples, nullptr, true,
           "IP-alpha, alpha-precision"},
    Metric{"integrated_beta_recall", "Integrated beta-recall", Share, Higher,
           "1 minus twice the area between the beta-recall curve and the diagonal. 1: the core of the synthetic set "
           "covers as large a share of the real samples as it should.",
           "1 - 2 mean over beta of |beta - R(beta)|, R = the beta-recall curve", kAlaa,
           metrics::inEmbedding<IdentityEmbedding, metrics::integratedBetaRecall>, kSamples, nullptr, true,
           "IR-beta, beta-recall"},
    Metric{"integrated_alpha_precision_one_class", "Integrated alpha-precision, one-class", Share, Higher,
           "1 minus twice the area between the alpha-precision curve and the diagonal. 1: every ball around the real "
           "set's centre holds the same share of the synthetic as of the real samples. In the one-class embedding.",
           "1 - 2 mean over alpha of |alpha - P(alpha)|, P = the alpha-precision curve of the one-class embedding",
           kAlaa, metrics::inEmbedding<OneClassEmbedding, metrics::integratedAlphaPrecision>, kOneClass},
    Metric{"integrated_beta_recall_one_class", "Integrated beta-recall, one-class", Share, Higher,
           "1 minus twice the area between the beta-recall curve and the diagonal. 1: the core of the synthetic set "
           "covers as large a share of the real samples as it should. In the one-class embedding.",
           "1 - 2 mean over beta of |beta - R(beta)|, R = the beta-recall curve of the one-class embedding", kAlaa,
           metrics::inEmbedding<OneClassEmbedding, metrics::integratedBetaRecall>, kOneClass},
    Metric{"p_precision", "P-precision", Share, Higher,
           "Mean probability that a synthetic sample lies where real samples lie. Each real sample within 1.2 mean "
           "real radii raises it, the closer the more.",
           "mean over j of 1 - product over i with |s_j - r_i| <= A of |s_j - r_i| / A, A = 1.2 mean over i of "
           "NNDr_k(r_i)",
           kPark, meanOf<memberOf<&NearPairScores::pPrecision>>, kNearPairs,
           kSyntheticMean<memberOf<&NearPairScores::pPrecision>>},
    Metric{"p_recall", "P-recall", Share, Higher,
           "Mean probability that a real sample lies where synthetic samples lie. Each synthetic sample within 1.2 "
           "mean synthetic radii raises it, the closer the more.",
           "mean over i of 1 - product over j with |r_i - s_j| <= A of |r_i - s_j| / A, A = 1.2 mean over j of "
           "NNDs_k(s_j)",
           kPark, meanOf<memberOf<&NearPairScores::pRecall>>, kNearPairs,
           kRealMean<memberOf<&NearPairScores::pRecall>>},
    Metric{"precision_cover", "Precision cover", Share, Higher,
           "Share of synthetic samples with at least 3 real samples (unless set otherwise) within the distance to "
           "their 9th nearest synthetic neighbour.",
           "share of s_j with NNDr_k'(s_j) <= NNDs_Ck'(s_j), k' = C = 3 unless set otherwise", kCheema,
           meanOf<metrics::precisionCovered>, kSamples, kSyntheticMean<metrics::precisionCovered>},
    Metric{"recall_cover", "Recall cover", Share, Higher,
           "Share of real samples with at least 3 synthetic samples (unless set otherwise) within the distance to "
           "their 9th nearest real neighbour.",
           "share of r_i with NNDs_k'(r_i) <= NNDr_Ck'(r_i), k' = C = 3 unless set otherwise", kCheema,
           meanOf<metrics::recallCovered>, kSamples, kRealMean<metrics::recallCovered>},
    Metric{"realism", "Realism", Ratio, Higher,
           "Median realism of the synthetic samples. Above 1, at least half of them lie in a real ball of less than "
           "the median radius.",
           "median over j of realism_j", kKynkaanniemi, metrics::realism, kNearPairs},
    Metric{"rarity", "Rarity", Distance, Neutral,
           "Mean rarity of the synthetic samples inside some real ball: the radius of the smallest ball that holds "
           "them. High: they resemble isolated real samples.",
           "mean over the s_j inside some real ball of rarity_j", kHan, metrics::rarity, kNearPairs,
           &averages::kRarity},
    Metric{"rarity_outside", "Outside every ball", Share, Lower,
           "Share of synthetic samples outside every real ball, which have no rarity.",
           "share of s_j with |s_j - r_i| > NNDr_k(r_i) for all i", kHan, meanOf<metrics::isOutsideEveryBall>,
           kNearPairs, kSyntheticMean<metrics::isOutsideEveryBall>},
    Metric{
        "ct_score", "Copying test", Ratio, NearestToZero,
        "C_T: whether synthetic samples are nearer to training samples than held-out real ones are, in standard "
        "deviations, averaged over regions of the real set. Far below 0: copied training data. Far above 0: poor fit.",
        "mean of Z_U over regions of the real set, weighted by the held-out samples in each; distances within the "
        "region",
        kMeehan, metrics::ctScore, kHeldOut, nullptr, true, "data-copying test, C_T"},
    Metric{"ct_score_global", "Copying test, whole set", Ratio, NearestToZero,
           "Z_U: the same without regions. Far below 0: copied training data. Far above 0: poor fit.",
           "(U - (M H / 2 - 1/2)) / sqrt(M H (M + H + 1) / 12), U = number of pairs of a synthetic and one of the H "
           "held-out samples in which the synthetic one is farther from its nearest real sample",
           kMeehan, metrics::ctScoreGlobal, kHeldOut, nullptr, true, "data-copying test, C_T"},
    Metric{"fld", "Feature likelihood divergence", Ratio, Lower,
           "How poorly a density of Gaussians around the synthetic samples, fitted to the real set, predicts held-out "
           "samples compared with one around real samples: 100 times the difference in nats per feature. 0 is ideal; "
           "poor, monotonous and copied samples all raise it.",
           "100 (NLL of the held-out set - the same for one half of the real set in place of the synthetic one, fitted "
           "to the other half), NLL = negative log-likelihood per feature",
           kJiralerspong, memberOf<&FeatureLikelihood::divergence>, kHeldOut, nullptr, true, "FLD"},
    Metric{"fld_gap", "FLD generalisation gap", Ratio, NearestToZero,
           "How much better the same density predicts the real set than held-out samples, as a negative number. Near "
           "0: nothing was memorised. Far below 0: copied training data.",
           "100 (NLL of the real set - NLL of the held-out set)", kJiralerspong, memberOf<&FeatureLikelihood::gap>,
           kHeldOut},
    Metric{"frechet_distance", "Fréchet distance", Ratio, Lower,
           "Distance between the Gaussians that fit the two sets: the squared distance of their means plus a term for "
           "the difference of their covariances. In the square of the embedding's unit.",
           "|m_r - m_s|^2 + tr C_r + tr C_s - 2 tr (C_r C_s)^(1/2), m = means, C = covariances of the two sets",
           kHeusel, memberOf<&RowScores::frechetDistance>, kRows, nullptr, true,
           "FID, Frechet Inception Distance, Frechet distance, FD, FDD, FD-DINOv2, FAD, FVD, Wasserstein-2 distance"},
    Metric{
        "frechet_infinity", "Fréchet distance, infinite", Ratio, Lower,
        "Fréchet distance that infinitely many synthetic samples would have. It does not grow when a set is small, so "
        "sets of different sizes can be compared; about 0, also just below, where there is no difference. The interval "
        "is "
        "from disjoint subsets of the synthetic set.",
        "a of the line a + b / n through the Fréchet distances of subsets of 15 sizes n; none where the line fits "
        "badly",
        kChong, memberOf<&FrechetInfinity::value>, kSizeFit, nullptr, true, "FID infinity, FAD infinity, FID_inf"},
    Metric{
        "frechet_infinity_r2", "Fréchet distance, infinite: fit", Share, Higher,
        "How well a line through the Fréchet distances of subsets of 15 sizes explains them. Low values are harmless "
        "where the distance hardly depends on the size.",
        "R2 of the line a + b / n", kChong, memberOf<&FrechetInfinity::r2>, kSizeFit},
    Metric{"frechet_published", "Fréchet distance, published", Ratio, Lower,
           "Fréchet distance to the mean and covariance that the real set's file states (`mu`, `sigma`), often of more "
           "samples than the file holds.",
           "as Fréchet distance, with m_r and C_r of the file", kHeusel, memberOf<&PublishedFrechet::distance>,
           kPublished},
    Metric{"kernel_distance", "Kernel distance", Ratio, NearestToZero,
           "Squared maximum mean discrepancy under a cubic polynomial kernel, unbiased, mean over subsets of at most "
           "1,000 samples. About 0, also just below, for sets that are alike.",
           "mean of K(r, r') + mean of K(s, s') - 2 mean of K(r, s) within subsets, K(x, y) = (x . y / d + 1)^3",
           kBinkowski, memberOf<&RowScores::kernel, &KernelDistance::mean>, kRows, nullptr, true,
           "KID, Kernel Inception Distance, KD, MMD, maximum mean discrepancy"},
    Metric{"kernel_distance_std", "Kernel distance, deviation", Ratio, Neutral,
           "Standard deviation of the kernel distance between the subsets that it averages.",
           "standard deviation of the kernel distance over its subsets", kBinkowski,
           memberOf<&RowScores::kernel, &KernelDistance::deviation>, kRows, nullptr, true,
           "KID, Kernel Inception Distance, KD, MMD, maximum mean discrepancy"},
    Metric{"kernel_distance_rbf", "Kernel distance, Gaussian", Ratio, NearestToZero,
           "The kernel distance with a Gaussian kernel of width 10 in the embedding's unit. Near 0 also where all "
           "distances are far above that width, or far below.",
           "mean of K(r, r') + mean of K(s, s') - 2 mean of K(r, s) within subsets, K(x, y) = exp(-|x - y|^2 / 200)",
           kBinkowski, memberOf<&RowScores::gaussianKernel, &KernelDistance::mean>, kRows, nullptr, true,
           "KID with RBF kernel, MMD"},
    Metric{"cmmd", "CMMD", Ratio, Lower,
           "Squared maximum mean discrepancy of the samples' directions under a Gaussian kernel of width 10, times "
           "1,000, with the bias of a finite number of samples, as published. Made for CLIP embeddings.",
           "1000 (mean of K(r, r') + mean of K(s, s') - 2 mean of K(r, s)), pairs of a sample and itself included, "
           "K(x, y) = exp(-|x / |x| - y / |y||^2 / 200)",
           kJayasumana, memberOf<&RowScores::wholeKernels, &KernelScores::cmmd>, kRows, nullptr, false,
           "CLIP MMD, CLIP maximum mean discrepancy"},
    Metric{"cmmd_unbiased", "CMMD, unbiased", Ratio, NearestToZero,
           "CMMD without the bias of a finite number of samples. About 0, also just below, for sets that are alike.",
           "CMMD without the pairs of a sample and itself", kJayasumana,
           memberOf<&RowScores::wholeKernels, &KernelScores::cmmdUnbiased>, kRows, nullptr, true, "CLIP MMD"},
    Metric{"kad", "KAD", Ratio, NearestToZero,
           "Squared maximum mean discrepancy under a Gaussian kernel as wide as the median distance between two real "
           "samples, times 100, unbiased. About 0, also just below, for sets that are alike.",
           "100 (mean of K(r, r') + mean of K(s, s') - 2 mean of K(r, s)), K(x, y) = exp(-|x - y|^2 / (2 w^2)), w = "
           "median of |r - r'|",
           kChung, memberOf<&RowScores::wholeKernels, &KernelScores::kad>, kRows, nullptr, true,
           "Kernel Audio Distance, MMD"},
    Metric{"mind", "MIND", Ratio, Lower,
           "Mean squared Wasserstein distance of the two sets' projections on 250 or more random directions, times 3 "
           "d. It "
           "sees shapes that the Fréchet distance misses, and needs fewer samples.",
           "3 d mean over directions u of W_2(u . r, u . s)^2", kBerthet, memberOf<&RowScores::sliced>, kRows, nullptr,
           false, "Monge Inception Distance, sliced Wasserstein distance"},
    Metric{"vendi_score", "Vendi score", Ratio, Higher,
           "Effective number of different samples in the synthetic set, by the cosines between them: 1 when all point "
           "the same way. Compare it with the real set's.",
           "exp(- sum over l of e_l log e_l), e_l = eigenvalues of the cosines between the synthetic samples, divided "
           "by M",
           kFriedman, memberOf<&RowScores::vendi>, kRows},
    Metric{"vendi_score_real", "Vendi score of the real set", Ratio, Neutral,
           "Effective number of different samples in the real set. The synthetic set's should be close to it.",
           "exp(- sum over l of e_l log e_l), e_l = eigenvalues of the cosines between the real samples, divided by N",
           kFriedman, memberOf<&RealRows::vendi>, kRows},
    Metric{"topp_fidelity", "TopP&R fidelity", Share, Higher,
           "Share of the synthetic samples in the densely sampled part of their own set that lie in the densely "
           "sampled part of the real set too, after a random projection to 32 dimensions.",
           "(number of s_j with u_S(s_j) > c_S and u_R(s_j) > c_R) / (number of s_j with u_S(s_j) > c_S), u = kernel "
           "density of a set, c = its bootstrap threshold",
           kKim, memberOf<&RowScores::top, &TopScores::fidelity>, kRows},
    Metric{"topr_diversity", "TopP&R diversity", Share, Higher,
           "Share of the real samples in the densely sampled part of their own set that lie in the densely sampled "
           "part of the synthetic set too, after a random projection to 32 dimensions.",
           "(number of r_i with u_R(r_i) > c_R and u_S(r_i) > c_S) / (number of r_i with u_R(r_i) > c_R), u = kernel "
           "density of a set, c = its bootstrap threshold",
           kKim, memberOf<&RowScores::top, &TopScores::diversity>, kRows},
    Metric{"top_f1", "TopP&R F1", Share, Higher, "Harmonic mean of TopP&R fidelity and diversity.",
           "2 F D / (F + D), F = TopP&R fidelity, D = TopP&R diversity", kKim,
           memberOf<&RowScores::top, &TopScores::f1>, kRows},
    Metric{"verdict_rejected", "Flagged samples", Share, Lower, "Share of synthetic samples whose verdict is not good.",
           "share of s_j with q_j <= 0.05, or the rate that was chosen", kBates, metrics::verdictRejected, kVerdicts,
           kSyntheticMean<metrics::isRejected>},
    Metric{
        "own_group_neighbors", "Neighbours of the own group", Share, Neutral,
        "Share of the k nearest real neighbours of real samples that are of the sample's own group. Density, coverage "
        "and entropies count them; verdicts leave them out.",
        "share of pairs (i, rank 1 .. k) whose neighbour is of the group of r_i", kNaeem, metrics::ownGroupNeighbors,
        kResultType<GroupTests>},
    Metric{"verdict_copy", "Copies", Share, Lower,
           "Share of synthetic samples whose verdict is copy: far closer to one real sample than to any other.",
           "share of s_j with the verdict copy", kBates, meanOf<metrics::isVerdict<Verdict::Copy>>, kVerdicts,
           kSyntheticMean<metrics::isVerdict<Verdict::Copy>>},
    Metric{"verdict_unrealistic", "Unrealistic samples", Share, Lower,
           "Share of synthetic samples whose verdict is unrealistic: farther from the real samples than these are from "
           "each other.",
           "share of s_j with the verdict unrealistic", kBates, meanOf<metrics::isVerdict<Verdict::Unrealistic>>,
           kVerdicts, kSyntheticMean<metrics::isVerdict<Verdict::Unrealistic>>},
    Metric{"verdict_invented", "Invented samples", Share, Lower,
           "Share of synthetic samples whose verdict is invented: the model makes many samples where there are almost "
           "no real ones.",
           "share of s_j with the verdict invented", kBates, meanOf<metrics::isVerdict<Verdict::Invented>>, kVerdicts,
           kSyntheticMean<metrics::isVerdict<Verdict::Invented>>},
    Metric{
        "verdict_crowded", "Crowded samples", Share, Lower,
        "Share of synthetic samples whose verdict is crowded: there is real data where they lie, but the model makes "
        "far too many of them.",
        "share of s_j with the verdict crowded", kBates, meanOf<metrics::isVerdict<Verdict::Crowded>>, kVerdicts,
        kSyntheticMean<metrics::isVerdict<Verdict::Crowded>>},
    Metric{
        "bad_share", "Bad samples", Share, Lower,
        "Share of synthetic samples that are bad: those flagged one by one, and an estimate of others that are subtly "
        "wrong. What classes or regions with too many samples explain does not count.",
        "share of s_j with a verdict other than good + max(0, Storey's estimate beyond it from p_any, of what neither "
        "classes, regions nor combinations with too many samples explain)",
        kStorey, metrics::badShare, kSetTests, &averages::kBadShare},
    Metric{"estimated_bad", "Estimated bad share", Share, Lower,
           "Share of synthetic samples that are bad, including those that cannot be pointed at one by one: estimated "
           "from how far the p-values are from those of good samples.",
           "", kStorey, metrics::estimatedBad, kVerdicts, &averages::kEstimatedBad},
    Metric{"coverage_missed", "Missed real samples", Share, Lower,
           "Share of real samples that the model misses, by the verdicts of the single samples.",
           "share of r_i with the verdict missed or thin", kBates, metrics::coverageMissed, kMissed,
           kRealMean<metrics::isMissed>},
    Metric{
        "utility_accuracy", "Utility, accuracy", Share, Higher,
        "Share of real samples that a classifier trained on the synthetic set gets right: of the held-out set, or of "
        "the real set where there is none. Compare it with the one trained on real data.",
        "share of test samples t with argmax over c of P_S(c | t) = class of t, P_S = logistic regression trained on "
        "the synthetic set",
        kAlaa, metrics::utilityAccuracy, kUtility, &averages::kUtilityAccuracy, true,
        "TSTR, train on synthetic test on real, CAS, classification accuracy score"},
    Metric{"utility_auc", "Utility, AUC", Share, Higher,
           "How well the same classifier's probabilities rank each class against the rest: the area under the ROC "
           "curve, averaged over the classes by their share. 0.5 is guessing.",
           "mean over classes c, weighted by their share of the test samples, of the AUC of P_S(c | t), P_S = logistic "
           "regression trained on the synthetic set",
           kAlaa, metrics::utilityAuc, kUtility, &averages::kUtilityAuc, true, "TSTR, train on synthetic test on real"},
    Metric{"real_utility_accuracy", "Accuracy trained on real data", Share, Neutral,
           "The same accuracy of a classifier trained on the real set, tested on the held-out set, or in five folds "
           "where there is none: what utility is compared with.",
           "as utility, accuracy, of logistic regression trained on the real set", kAlaa, metrics::realUtilityAccuracy,
           kUtility, &averages::kRealUtilityAccuracy},
    Metric{"real_utility_auc", "AUC trained on real data", Share, Neutral,
           "The same area under the ROC curve of a classifier trained on the real set.",
           "as utility, AUC, of logistic regression trained on the real set", kAlaa, metrics::realUtilityAuc, kUtility,
           &averages::kRealUtilityAuc},
    Metric{"utility_r2", "Utility, R²", Ratio, Higher,
           "Where labels are numbers: share of their variance that a ridge regression trained on the synthetic set "
           "explains on real samples. 1 is perfect, 0 no better than the mean.",
           "1 - sum of (y - f_S(t))^2 / sum of (y - mean of y)^2 over test samples t with label y, f_S = ridge "
           "regression trained on the synthetic set",
           kAlaa, metrics::utilityR2, kNumberUtility, &averages::kUtilityR2, true,
           "TSTR, train on synthetic test on real"},
    Metric{"real_utility_r2", "R² trained on real data", Ratio, Neutral,
           "The same of a ridge regression trained on the real set.",
           "as utility, R^2, of ridge regression trained on the real set", kAlaa, metrics::realUtilityR2,
           kNumberUtility, &averages::kRealUtilityR2},
    Metric{"membership_auc", "Membership, AUC", Share, NearestToHalf,
           "How well someone who holds the synthetic set can tell training samples from held-out ones, by how near the "
           "nearest synthetic sample is. 0.5: not at all. 1: every one.",
           "share of pairs of a real sample r_i and a held-out sample h with NNDs_1(r_i) < NNDs_1(h), those with = "
           "counted half",
           kChen, memberOf<&MembershipScores::auc>, kMembership, &averages::kMembershipAuc, true,
           "membership inference, MIA, privacy attack"},
    Metric{"membership_tpr_1", "Membership, found at 1 %", Share, Lower,
           "Share of the training samples that can be picked out this way while 1 % of the held-out samples are picked "
           "wrongly. 0.01 is what guessing reaches.",
           "share of r_i with NNDs_1(r_i) < t, t = the largest distance with at most 1 % of NNDs_1(h) below it", kChen,
           memberOf<&MembershipScores::tpr1>, kMembership, &averages::kMembershipTpr},
    Metric{"dcr_5", "Distance to closest record, 5 %", Distance, Neutral,
           "5th percentile of the synthetic samples' distances to their nearest real samples. Well below that of the "
           "held-out samples: copies.",
           "5th percentile of NNDr_1(s_j) over j", kChen, metrics::dcr5, kTables, nullptr, true, "DCR"},
    Metric{"dcr_median", "Distance to closest record, median", Distance, Neutral,
           "Median of the synthetic samples' distances to their nearest real samples.", "median of NNDr_1(s_j) over j",
           kChen, metrics::dcrMedian, kTables, nullptr, true, "DCR"},
    Metric{"nndr_5", "Nearest-neighbour distance ratio, 5 %", Ratio, Neutral,
           "5th percentile of the ratio of a synthetic sample's distance to its nearest real sample to that to its "
           "second nearest. Near 0: copies.",
           "5th percentile of NNDr_1(s_j) / NNDr_2(s_j) over j", kChen, metrics::nndr5, kTables, nullptr, false,
           "NNDR"},
    Metric{"nndr_median", "Nearest-neighbour distance ratio, median", Ratio, Neutral,
           "Median of the ratio of a synthetic sample's distance to its nearest real sample to that to its second "
           "nearest.",
           "median of NNDr_1(s_j) / NNDr_2(s_j) over j", kChen, metrics::nndrMedian, kTables, nullptr, false, "NNDR"},
    Metric{"dcr_5_held_out", "Distance to closest record, 5 %, held-out", Distance, Neutral,
           "5th percentile of the held-out samples' distances to their nearest real samples: what real data reach.",
           "5th percentile of NNDr_1(h) over the held-out samples h", kChen,
           memberOf<&MembershipScores::heldOut, &RecordDistances::dcr5>, kMembership},
    Metric{"dcr_median_held_out", "Distance to closest record, median, held-out", Distance, Neutral,
           "Median of the held-out samples' distances to their nearest real samples: what real data reach.",
           "median of NNDr_1(h) over the held-out samples h", kChen,
           memberOf<&MembershipScores::heldOut, &RecordDistances::dcrMedian>, kMembership},
    Metric{"nndr_5_held_out", "Nearest-neighbour distance ratio, 5 %, held-out", Ratio, Neutral,
           "5th percentile of the held-out samples' nearest-neighbour distance ratios: what real data reach.",
           "5th percentile of NNDr_1(h) / NNDr_2(h) over the held-out samples h", kChen,
           memberOf<&MembershipScores::heldOut, &RecordDistances::nndr5>, kMembership, nullptr, false},
    Metric{"nndr_median_held_out", "Nearest-neighbour distance ratio, median, held-out", Ratio, Neutral,
           "Median of the held-out samples' nearest-neighbour distance ratios: what real data reach.",
           "median of NNDr_1(h) / NNDr_2(h) over the held-out samples h", kChen,
           memberOf<&MembershipScores::heldOut, &RecordDistances::nndrMedian>, kMembership, nullptr, false},
};

constexpr std::array kColumns{
    Column{"fidelity", "Fidelity", Share, Higher, Side::Synthetic,
           "Number of clipped real balls that hold the sample, divided by k, at most 1. A ball's radius is the "
           "distance to its k-th real neighbour, capped at the median of all radii.",
           "fidelity_j = min(1, (number of i with |s_j - r_i| <= R_i) / k)", kSalvy, metrics::fidelity},
    Column{"clipped_ball_count", "Clipped balls", Count, Higher, Side::Synthetic,
           "Number of clipped real balls that hold the sample.", "number of i with |s_j - r_i| <= R_i", kSalvy,
           memberOf<&PairTables::synthetic, &SideResult::innerHolding>},
    Column{"pce", "PCE", Nats, Lower, Side::Synthetic,
           "How surprising the sample is under the real distribution, in nats above the real set's entropy. High: "
           "unrealistic. Very low: a near-copy.",
           "h(NNDr_k(s_j), N) - H(R)", kFox, metrics::pcePerSample},
    Column{"authentic", "Authentic", YesNo, Higher, Side::Synthetic,
           "Whether the sample is farther from its nearest real sample than that one is from its own nearest real "
           "neighbour.",
           "|s_j - r*| > NNDr_1(r*), r* = the real sample nearest to s_j", kAlaa, metrics::authentic},
    Column{"nearest_real", "Nearest real", Row, Neutral, Side::Synthetic, "Row of the nearest real sample.",
           "the i with the smallest |s_j - r_i|", kAlaa, metrics::nearestReal},
    Column{"nearest_real_distance", "Distance to real", Distance, Lower, Side::Synthetic,
           "Euclidean distance to the nearest real sample, in the embedding's unit.", "NNDr_1(s_j)", kAlaa,
           metrics::nearestRealDistance},
    Column{"coverage", "Coverage", Share, Higher, Side::Real,
           "Number of synthetic samples in the real sample's ball, divided by k, at most 1. The ball's radius is the "
           "distance to its k-th real neighbour.",
           "coverage_i = min(1, (number of j with |s_j - r_i| <= NNDr_k(r_i)) / k)", kSalvy, metrics::coveragePerReal},
    Column{"ball_synthetic_count", "Synthetic in ball", Count, Higher, Side::Real,
           "Number of synthetic samples in the real sample's ball.", "number of j with |s_j - r_i| <= NNDr_k(r_i)",
           kSalvy, memberOf<&PairTables::real, &SideResult::inside>},
    Column{"rce", "RCE", Nats, Lower, Side::Real,
           "How surprising the real sample is under the synthetic distribution, in nats above the real set's entropy. "
           "High: missed by the model.",
           "h(NNDs_k(r_i), M) - H(R)", kFox, metrics::rcePerSample},
    Column{"re", "RE", Nats, Neutral, Side::Synthetic,
           "How isolated the sample is among the synthetic ones, in nats above the real set's entropy. Low: one of "
           "many alike.",
           "h(NNDs_k(s_j), M - 1) - H(R)", kFox, metrics::rePerSample},
    Column{"ball_count", "Balls", Count, Higher, Side::Synthetic,
           "Number of real balls that hold the sample, not clipped.", "number of i with |s_j - r_i| <= NNDr_k(r_i)",
           kNaeem, memberOf<&PairTables::synthetic, &SideResult::holding>},
    Column{"nearest_synthetic_distance", "Distance to synthetic", Distance, Lower, Side::Real,
           "Euclidean distance to the nearest synthetic sample, in the embedding's unit.", "NNDs_1(r_i)", kAlaa,
           metrics::nearestSyntheticDistance},
    Column{"typicality", "Typicality", Ratio, Lower, Side::Synthetic,
           "How far out the sample lies: the share of the real samples that are closer to the real set's centre, 0 at "
           "the core, 1 at the edge. Above 1 it is beyond all of them, and the number is its distance from the centre "
           "relative to the farthest real sample's.",
           "share of r_i with |r_i - c| < |s_j - c|, c = mean of the real samples, interpolated between the r_i; "
           "beyond all of them |s_j - c| / max over i of |r_i - c|",
           kAlaa, metrics::inEmbedding<IdentityEmbedding, metrics::typicality>, kSamples},
    Column{"centre_distance", "Distance from the centre", Distance, Neutral, Side::Synthetic,
           "Distance from the real set's centre.", "|s_j - c|, c = mean of the real samples", kAlaa,
           memberOf<&IdentityEmbedding::tables, &EvaluationTables::centreDistance>, kSamples},
    Column{"real_centre_distance", "Distance from the centre", Distance, Neutral, Side::Real,
           "Distance from the real set's centre.", "|r_i - c|, c = mean of the real samples", kAlaa,
           metrics::inEmbedding<IdentityEmbedding, metrics::realCentreDistance>, kSamples},
    Column{"beta_covered", "Covered", YesNo, Higher, Side::Real,
           "Whether the nearest synthetic sample is no farther than the nearest other real sample.",
           "NNDs_1(r_i) <= NNDr_1(r_i)", kAlaa, metrics::inEmbedding<IdentityEmbedding, metrics::betaCovered>,
           kSamples},
    Column{"typicality_one_class", "Typicality, one-class", Ratio, Lower, Side::Synthetic,
           "How far out the sample lies: the share of the real samples that are closer to the real set's centre, 0 at "
           "the core, 1 at the edge. Above 1 it is beyond all of them, and the number is its distance from the centre "
           "relative to the farthest real sample's. In the one-class embedding.",
           "as typicality, of the embedded samples, c = (1, .., 1)", kAlaa,
           metrics::inEmbedding<OneClassEmbedding, metrics::typicality>, kOneClass},
    Column{"centre_distance_one_class", "Distance from the centre, one-class", Distance, Neutral, Side::Synthetic,
           "Distance from the real set's centre. In the one-class embedding.",
           "|phi(s_j) - c|, phi = the one-class network, c = (1, .., 1)", kAlaa,
           memberOf<&OneClassEmbedding::tables, &EvaluationTables::centreDistance>, kOneClass},
    Column{"real_centre_distance_one_class", "Distance from the centre, one-class", Distance, Neutral, Side::Real,
           "Distance from the real set's centre. In the one-class embedding.",
           "|phi(r_i) - c|, phi = the one-class network, c = (1, .., 1)", kAlaa,
           metrics::inEmbedding<OneClassEmbedding, metrics::realCentreDistance>, kOneClass},
    Column{"beta_covered_one_class", "Covered, one-class", YesNo, Higher, Side::Real,
           "Whether the nearest synthetic sample is no farther than the nearest other real sample. In the one-class "
           "embedding.",
           "NNDs_1(r_i) <= NNDr_1(r_i) of the embedded samples", kAlaa,
           metrics::inEmbedding<OneClassEmbedding, metrics::betaCovered>, kOneClass},
    Column{"realism", "Realism", Ratio, Higher, Side::Synthetic,
           "Largest ratio of a real ball's radius, of those below the median radius, to the sample's distance from its "
           "centre. From 1 on the sample lies in such a ball; a copy is infinitely realistic.",
           "realism_j = max of NNDr_k(r_i) / |s_j - r_i| over i with NNDr_k(r_i) below the median radius",
           kKynkaanniemi, memberOf<&NearPairScores::realism>, kNearPairs},
    Column{"rarity", "Rarity", Distance, Neutral, Side::Synthetic,
           "Radius of the smallest real ball that holds the sample. None outside every ball.",
           "rarity_j = min of NNDr_k(r_i) over i with |s_j - r_i| <= NNDr_k(r_i)", kHan,
           memberOf<&NearPairScores::rarity>, kNearPairs},
    Column{"p_precision", "P-precision", Share, Higher, Side::Synthetic,
           "Probability that the sample lies where real samples lie. Each real sample within 1.2 mean real radii "
           "raises it, the closer the more.",
           "1 - product over i with |s_j - r_i| <= A of |s_j - r_i| / A, A = 1.2 mean over i of NNDr_k(r_i)", kPark,
           memberOf<&NearPairScores::pPrecision>, kNearPairs},
    Column{"p_recall", "P-recall", Share, Higher, Side::Real,
           "Probability that the sample lies where synthetic samples lie. Each synthetic sample within 1.2 mean "
           "synthetic radii raises it, the closer the more.",
           "1 - product over j with |r_i - s_j| <= A of |r_i - s_j| / A, A = 1.2 mean over j of NNDs_k(s_j)", kPark,
           memberOf<&NearPairScores::pRecall>, kNearPairs},
    Column{"nearest_is_synthetic", "Nearest is synthetic", Share, Neutral, Side::Synthetic,
           "1 where the nearest other sample of both sets is synthetic, 0 where it is real, 0.5 for a tie.",
           "1 for NNDs_1(s_j) < NNDr_1(s_j), 0 for >, 1/2 for =", kLopezPaz, metrics::nearestIsSynthetic},
    Column{"ball_holds_real", "Real in own ball", YesNo, Higher, Side::Synthetic,
           "Whether a real sample lies in the sample's own ball, which reaches to its k-th synthetic neighbour.",
           "NNDr_1(s_j) <= NNDs_k(s_j)", kKhayatkhoei, metrics::ballHoldsReal},
    Column{"precision_covered", "In precision cover", YesNo, Higher, Side::Synthetic,
           "Whether at least k' real samples lie within the distance to the sample's (C k')-th nearest synthetic "
           "neighbour.",
           "NNDr_k'(s_j) <= NNDs_Ck'(s_j), k' = C = 3 unless set otherwise", kCheema, metrics::precisionCovered,
           kSamples},
    Column{"nearest_is_real", "Nearest is real", Share, Neutral, Side::Real,
           "1 where the nearest other sample of both sets is real, 0 where it is synthetic, 0.5 for a tie.",
           "1 for NNDr_1(r_i) < NNDs_1(r_i), 0 for >, 1/2 for =", kLopezPaz, metrics::nearestIsReal},
    Column{"synthetic_ball_count", "Synthetic balls", Count, Higher, Side::Real,
           "Number of synthetic balls that hold the real sample. Recall is the share of real samples in one.",
           "number of j with |r_i - s_j| <= NNDs_k(s_j)", kKynkaanniemi,
           memberOf<&PairTables::real, &SideResult::holding>},
    Column{"real_clipped_ball_count", "Clipped balls of real samples", Count, Neutral, Side::Real,
           "Number of other real samples' clipped balls that hold the real sample. Clipped density compares the "
           "synthetic samples' counts with these.",
           "number of l other than i with |r_i - r_l| <= R_l", kSalvy, memberOf<&RealAnalysis::innerHolding>},
    Column{"recall_covered", "In recall cover", YesNo, Higher, Side::Real,
           "Whether at least k' synthetic samples lie within the distance to the real sample's (C k')-th nearest real "
           "neighbour.",
           "NNDs_k'(r_i) <= NNDr_Ck'(r_i), k' = C = 3 unless set otherwise", kCheema, metrics::recallCovered, kSamples},
    Column{"verdict", "Verdict", Word, Lower, Side::Synthetic,
           "Good, or what is wrong with the sample: copy, unrealistic, invented or crowded. Of the samples called bad, "
           "at most the chosen share (5 % unless set otherwise) should be good ones.",
           "good for q_j above the chosen rate, else copy, unrealistic, invented or crowded, see these words", kBates,
           memberOf<&VerdictScores::verdict>, kVerdicts, "", kVerdictWords},
    Column{
        "p_any", "p-value", Share, Higher, Side::Synthetic,
        "How often a good sample would look at least as suspicious: the share of real samples (and of held-out ones) "
        "whose strongest of the three tests is at least as strong.",
        "p_j = rank of the largest of the three tail scores of s_j among those of good samples", kBates,
        memberOf<&VerdictScores::pAny>, kVerdicts, "evidence"},
    Column{
        "evidence", "Evidence", Ratio, Lower, Side::Synthetic,
        "How far the sample is from usual ones in its strongest test: 0 for the median good sample, 1 for the most "
        "extreme good sample, above 1 for samples beyond every good one.",
        "(t - median of t over good samples) / (extreme of t - median of t), t = the largest of the three tail scores",
        kBates, memberOf<&VerdictScores::evidence>, kVerdicts},
    Column{"q_any", "q-value", Share, Higher, Side::Synthetic,
           "The share of good samples to expect among the rejected if this sample and all more suspicious ones are "
           "rejected.",
           "q_j = min over l with p_l >= p_j of M p_l / (number of p-values <= p_l)", kBenjamini,
           memberOf<&VerdictScores::qAny>, kVerdicts},
    Column{"p_unrealistic", "p-value, unrealistic", Share, Higher, Side::Synthetic,
           "Share of good samples that are at least as far from the (other) real samples.",
           "(1 + number of good samples g with NNDr_k(g) >= NNDr_k(s_j)) / (1 + number of good samples)", kBates,
           memberOf<&VerdictScores::pUnrealistic>, kVerdicts},
    Column{"p_over_represented", "p-value, crowded", Share, Higher, Side::Synthetic,
           "Share of good samples around which the model is at least as dense, compared with the real set, as around "
           "this sample.",
           "(1 + number of i with log density ratio of r_i >= log density ratio of s_j) / (1 + N)", kBates,
           memberOf<&VerdictScores::pOverRepresented>, kVerdicts},
    Column{"p_copy", "p-value, copy", Share, Higher, Side::Synthetic,
           "Share of good samples that are at least as close to a single real sample, compared with the next one. It "
           "points to copying only if the model was trained on the real set.",
           "(1 + number of i with copy ratio of r_i <= copy ratio of s_j) / (1 + N)", kBates,
           memberOf<&VerdictScores::pCopy>, kVerdicts},
    Column{
        "log_density_ratio", "Log density ratio", Nats, Lower, Side::Synthetic,
        "How much denser the model is than the real set around the sample, in nats: d times the logarithm of the "
        "distance to the 20th nearest real sample over that to the 20th nearest synthetic one, an estimate of log p_S "
        "/ p_R up to a constant of the set sizes. Where both distances are 0, equal samples are counted.",
        "d log(NNDr_20(s_j) / NNDs_20(s_j))", kBates, memberOf<&VerdictScores::logDensityRatio>, kVerdicts},
    Column{
        "copy_ratio", "Copy ratio", Ratio, Higher, Side::Synthetic,
        "Distance to the nearest real sample, divided by that to the second nearest; near repeats of one real sample "
        "count as one. 0: it equals a real sample. Near 0: it is a copy.",
        "NNDr_1(s_j) / NNDr_2(s_j), near repeats of one real sample counted once", kBates,
        memberOf<&VerdictScores::copyRatio>, kVerdicts},
    Column{
        "coverage_verdict", "Verdict", Word, Lower, Side::Real,
        "Covered, missed (no synthetic sample lies in its ball) or thin (some do, but too few). Of the samples called "
        "missed or thin, at most the chosen share (5 % unless set otherwise) should be covered ones.",
        "covered for q_i above the chosen rate, else missed if no s_j lies in the ball of r_i, else thin", kBates,
        memberOf<&CoverageVerdicts::coverageVerdict>, kMissed, "", kCoverageVerdictWords},
    Column{
        "p_uncovered", "p-value, missed", Share, Higher, Side::Real,
        "How often a sample would look at least as isolated from the model if it did not matter which sample is real "
        "and which is synthetic: its rank among random draws of these labels.",
        "rank of the log coverage ratio of r_i among those of random draws of the labels real and synthetic", kBates,
        memberOf<&CoverageVerdicts::pUncovered>, kMissed},
    Column{"q_uncovered", "q-value, missed", Share, Higher, Side::Real,
           "The share of covered samples to expect among those called missed, if this sample and all that look more "
           "missed are called missed.",
           "q_i = min over l with p_l >= p_i of N p_l / (number of p-values <= p_l)", kBenjamini,
           memberOf<&CoverageVerdicts::qUncovered>, kMissed},
    Column{
        "coverage_ratio", "Log coverage ratio", Nats, Lower, Side::Real,
        "How much sparser the model is than the real set around the sample, in nats: d times the logarithm of the "
        "distance to the k-th nearest synthetic sample over that to the k-th nearest real one. Where both are 0, equal "
        "samples are counted.",
        "d log(NNDs_k(r_i) / NNDr_k(r_i))", kBates, memberOf<&CoverageVerdicts::coverageRatio>, kMissed},
    Column{"frechet_influence", "Share in the Fréchet distance", Ratio, Lower, Side::Synthetic,
           "How much the Fréchet distance would fall without the sample, times M - 1. Above 0 the sample makes the "
           "distance larger. Shares of several samples add up approximately.",
           "(M - 1) (F - F without s_j), F = Fréchet distance", kKoh, memberOf<&FrechetInfluence::values>, kInfluence},
    Column{"utility_correct", "Classified correctly", YesNo, Higher, Side::Real,
           "Whether a classifier trained on the synthetic set gets the real sample's class right.",
           "argmax over c of P_S(c | r_i) = class of r_i, P_S = logistic regression trained on the synthetic set",
           kAlaa, metrics::utilityCorrect, kUtility},
    Column{"utility_probability", "Probability of its class", Share, Higher, Side::Real,
           "Probability that a classifier trained on the synthetic set gives the real sample's own class.",
           "P_S(class of r_i | r_i), P_S = logistic regression trained on the synthetic set", kAlaa,
           metrics::utilityProbability, kUtility},
    Column{"membership_rank", "Exposure", Share, Lower, Side::Real,
           "Share of held-out samples that are farther from the synthetic set than the real sample. Near 1: it can be "
           "told that the model was trained on it.",
           "share of the held-out samples h with NNDs_1(h) > NNDs_1(r_i)", kChen, memberOf<&MembershipScores::rank>,
           kMembership},
};

static_assert(std::none_of(kColumns.begin(), kColumns.end(),
                           [](const Column& column) {
                               return column.better == NearestToZero || column.better == NearestToOne;
                           }),
              "Rules, rankings and discard curves look for the bad samples at one end.");
static_assert(std::none_of(kColumns.begin(), kColumns.end(),
                           [](const Column& column) { return isExternal(column.id); }),
              "These ids are those of columns from elsewhere.");

constexpr std::array kCurves{
    Curve{"k_sensitivity", "Sensitivity to k", "k", "Value", Count, Ratio,
          "What the metrics would be with smaller or larger balls: each point is what an audit with that k reports.",
          "each metric as a function of k", kSalvy, metrics::kSensitivity, kRows},
    Curve{"coverage_calibration", "Calibration of coverage", "Share of good samples", "Expected mean coverage", Share,
          Share,
          "Mean coverage that a set with this share of good samples is expected to reach. Clipped coverage is the "
          "share at which the curve reaches the model's mean coverage.",
          "f(m) = 1 - (1/k) sum over l < k of (k - l) P(C = l), C ~ BetaBinomial(m; k, N - k), against m / M", kSalvy,
          metrics::coverageCalibration, kTables},
    Curve{"alpha_precision_curve", "Alpha-precision", "alpha", "Share of synthetic samples within", Share, Share,
          "Share of synthetic samples in the ball around the real set's centre that holds a share alpha of the real "
          "ones. The diagonal is ideal.",
          "P(alpha) = share of s_j with |s_j - c| <= the alpha-quantile of |r_i - c|, c = mean of the real samples",
          kAlaa, metrics::inEmbedding<IdentityEmbedding, metrics::alphaPrecisionCurve>, kSamples,
          Curve::Ideal::Diagonal},
    Curve{"beta_recall_curve", "Beta-recall", "beta", "Share of real samples covered", Share, Share,
          "Share of real samples covered by the core of the synthetic set: their nearest synthetic sample is no "
          "farther than their nearest other real one, and among the share beta of such samples nearest to the "
          "synthetic mean. The diagonal is ideal.",
          "R(beta) = share of r_i with |r_i - s*| <= NNDr_1(r_i) and |s* - m| <= the beta-quantile of |s* - m|, s* = "
          "the synthetic sample nearest to r_i, m = mean of the synthetic samples",
          kAlaa, metrics::inEmbedding<IdentityEmbedding, metrics::betaRecallCurve>, kSamples, Curve::Ideal::Diagonal},
    Curve{"alpha_precision_curve_one_class", "Alpha-precision, one-class", "alpha", "Share of synthetic samples within",
          Share, Share,
          "Share of synthetic samples in the ball around the real set's centre that holds a share alpha of the real "
          "ones. The diagonal is ideal. In the one-class embedding.",
          "P(alpha) of the embedded samples, c = (1, .., 1)", kAlaa,
          metrics::inEmbedding<OneClassEmbedding, metrics::alphaPrecisionCurve>, kOneClass, Curve::Ideal::Diagonal},
    Curve{"beta_recall_curve_one_class", "Beta-recall, one-class", "beta", "Share of real samples covered", Share,
          Share,
          "Share of real samples covered by the core of the synthetic set: their nearest synthetic sample is no "
          "farther than their nearest other real one, and among the share beta of such samples nearest to the "
          "synthetic mean. The diagonal is ideal. In the one-class embedding.",
          "R(beta) of the embedded samples", kAlaa, metrics::inEmbedding<OneClassEmbedding, metrics::betaRecallCurve>,
          kOneClass, Curve::Ideal::Diagonal},
    Curve{"frechet_size", "Fréchet distance by number of samples", "Synthetic samples", "Fréchet distance", Count,
          Ratio,
          "Fréchet distance of subsets of the synthetic set, and the line a + b / n through "
          "them. a is what infinitely many samples would have.",
          "F of n samples against n; a + b / n by least squares", kChong, metrics::frechetBySize, kSizeFit},
    Curve{"one_class_training", "Training of the one-class embedding", "Epoch", "Loss", Count, Ratio,
          "Mean squared distance of the embedded real samples from the centre, divided by nu, before each step: of "
          "those trained on and of those held back.",
          "mean of |phi(r_i) - c|^2 / nu, phi = the network, c = (1, .., 1), nu = 0.01", kAlaa,
          metrics::oneClassTraining, kOneClass},
};

} // namespace

std::span<const Metric> metricCatalog() {
    return kMetrics;
}
std::span<const Column> columnCatalog() {
    return kColumns;
}
std::span<const Curve> curveCatalog() {
    return kCurves;
}
const Metric* findMetric(std::string_view id) {
    return findBy(kMetrics, &Metric::id, id);
}
const Column* findColumn(std::string_view id) {
    return findBy(kColumns, &Column::id, id);
}
const Curve* findCurve(std::string_view id) {
    return findBy(kCurves, &Curve::id, id);
}
const Column& columnOf(const ColumnValues& values) {
    return values.external ? values.external->column() : *findColumn(values.id);
}

bool isFromTables(const Metric& metric) {
    return metric.needs == needs::kTables || metric.id == "precision_cover" || metric.id == "recall_cover";
}

bool foundForSubset(const Metric& metric, SubsetScores scores) {
    return metric.needs == needs::kTables ||
           (scores == SubsetScores::Samples && (metric.needs == needs::kSamples || metric.needs == needs::kNearPairs));
}

} // namespace assay
