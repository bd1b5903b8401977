#pragma once

#include "engine/neighbors/search/neighbor_search.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace assay::cuda {

/// Rows per set that a SampledSearch searches again.
constexpr std::size_t kSampledRows = 32;

/// A search by graphics cards that is checked while it is used: after each pass, 32 rows of each set are searched again
/// on the CPU, and their lists and counts compared bit for bit. The rows are spread evenly over the set, at places
/// drawn by a seed that depends on the set's shape alone: an audit that is repeated checks the same rows. The CPU's
/// part is 32 rows against the other set, a block at a time: of N rows it is 32 / N of the CPU's work
/// for the whole pass, and a pass over the set's values.
class SampledSearch : public NeighborSearch {
public:
    /// @param cards not null
    /// @param threads for the rows that are searched again; 0 for every core
    /// @param blockValues values of the other set that are searched at a time
    SampledSearch(std::unique_ptr<NeighborSearch> cards, unsigned threads,
                  std::size_t blockValues = std::size_t{1} << 26);

    std::string_view name() const override { return cards_->name(); }
    std::string hardware() const override { return cards_->hardware(); }
    const Accelerator* accelerator() const override { return cards_->accelerator(); }
    /// @throws Error{DeviceFailed} naming the card, the row, what was expected and found, and how to go on; otherwise
    /// as NeighborSearch
    NeighborTable within(MatrixView set, std::size_t k, const JobContext& job) const override;
    PassResult between(const SideQuery& a, const SideQuery& b, const JobContext& job) const override;

private:
    void requireEqual(const std::string& difference) const;

    std::unique_ptr<NeighborSearch> cards_;
    unsigned threads_;
    std::size_t blockValues_;
};

/// The rows of a set of this shape that are searched again, ascending; all rows of a set of up to 32.
std::vector<std::uint32_t> sampledRows(std::size_t rows, std::size_t dim);

} // namespace assay::cuda
