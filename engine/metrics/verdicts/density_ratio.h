#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay {

/// One set as some samples see it: how far its k-th nearest row is, and how many of its rows equal the sample.
struct SeenSet {
    std::span<const double> distance;     ///< one per sample
    std::span<const std::uint32_t> equal; ///< one per sample; may be empty if no sample is at distance 0 from `dense`
    std::size_t rows;                     ///< number of the set's rows without the sample itself
};

/// Per sample d log(sparse.distance / dense.distance), in nats: an estimate, up to a constant, of how much denser the
/// second set is around the sample than the first. It has no term of the sizes of the sets: such a term would differ
/// between a sample that is left out of its own set and one that is not, and would tell them apart where distances tie.
/// 0 / x is minus infinity. Where dense.distance is 0, densities are counted: log(dense.equal / dense.rows) -
/// log(sparse.equal / sparse.rows), which is infinite only if no row of the sparse set equals the sample.
/// @param dim d
std::vector<double> logDensityRatios(const SeenSet& sparse, const SeenSet& dense, std::size_t dim);

/// Per sample whose k-th row in the dense set is at distance 0: the probability that of the rows that equal it as large
/// a share are of the dense set, if both sets are of one law: P(X >= dense.equal), X binomial with dense.equal +
/// sparse.equal trials and the chance q = dense.rows / (dense.rows + sparse.rows). It compares the sample with no
/// other one, so that neither ties nor the sizes of the sets matter. More trials than neighbors / min(q, 1 - q) are
/// scaled down to that number: with many equal rows a small difference of frequencies would be certain, too, and is no
/// fault of a sample.
/// @param neighbors number of rows that the smaller share of all trials may have
/// @return NaN for the other samples
std::vector<double> equalRowPValues(const SeenSet& sparse, const SeenSet& dense, std::size_t neighbors);

} // namespace assay
